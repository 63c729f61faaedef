/**
 * Grants a coupon to a list of customers, pasted or from a sheet. A preview checks every row first;
 * a second press grants it to those who are left.
 */
import './coupons.css'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useFormBulk } from '#client/screen/use-form-bulk.ts'
import { type CallError, messageOf } from '#client/session/call-error.ts'
import { downloadFile } from '#client/session/file.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { LeftOut, ListOrSheet } from '#client/ui/form/ListOrSheet.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { grantCoupon, grantTemplate, previewGrant } from '#shared/coupons/coupons-api.ts'
import { GRANT_EXCLUSIONS } from '#shared/coupons/coupon-sets.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { Coupon } from './coupon-types.ts'
import { valueText } from './coupon-words.ts'

type Preview = DataOf<typeof previewGrant>

export function GrantListForm({
  coupon,
  onDone,
  onClose,
}: {
  coupon: Coupon
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('coupons', 'repayments')
  const look = useSend(previewGrant)
  const send = useSend(grantCoupon, { quiet: true })
  const bulk = useFormBulk({
    key: 'coupons',
    done: (count) => t('list.done', { count }),
    onDone,
    onClose,
  })
  const [list, setList] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<Preview | null>(null)
  const fits = preview === null ? 0 : fitsOf(preview)
  const isReady = preview !== null && fits > 0

  function change(text: string, sheet: File | null): void {
    setList(text)
    setFile(sheet)
    setPreview(null)
  }
  /** The dialog stays open behind it: a second press confirms the previewed rows. */
  async function check(): Promise<never> {
    if (list.trim() === '' && file === null)
      void showMessage({ intent: 'warning', message: t('list.none'), key: 'coupons' })
    else {
      const given = { couponId: coupon.couponId, list, ...(file === null ? {} : { file: [file] }) }
      setPreview(await look.mutateAsync(given))
    }
    throw new Error('not asked yet')
  }
  const grant = ({ userIds }: Preview) =>
    bulk.run(userIds, (ids) =>
      send.mutateAsync({ couponId: coupon.couponId, userIds: ids, source: 'import' }),
    )
  const template = (format: 'xlsx' | 'csv') =>
    downloadFile(grantTemplate, { format, title: t('col.userId') }).catch((error: unknown) =>
      showMessage({ intent: 'warning', message: messageOf(error as CallError), key: 'download' }),
    )
  return (
    <>
      <ConfirmAction
        isOpen={bulk.isOpen}
        hasFocus
        intent="primary"
        title={t('grantTitle', { name: coupon.name })}
        {...(isReady ? { count: fits } : {})}
        confirmText={isReady ? t('grant') : t('repayments:batch.check')}
        onConfirm={() => (isReady ? grant(preview) : check())}
        onClose={bulk.leave}
      >
        <p>
          {t(`preferential.${coupon.preferentialType}`)} · {valueText(coupon, t)}
        </p>
        <ListOrSheet
          id="coupon-customers"
          label={t('list.users')}
          help={t('list.help')}
          placeholder="C10000001"
          takesFocus
          list={list}
          file={file}
          onChange={change}
          onTemplate={(format) => void template(format)}
        />
        {preview && <Checked preview={preview} />}
      </ConfirmAction>
      {bulk.drawer}
    </>
  )
}

/** For how many of them the budget is enough. */
function fitsOf({ userIds, worth, left }: Preview): number {
  const most = userIds.length
  if (worth === null || worth === 0 || left === null) return most
  return Math.min(most, Math.max(0, Math.floor((left * most) / worth)))
}

function Checked({ preview }: { preview: Preview }): ReactNode {
  const t = useText('coupons', 'repayments')
  const { userIds, worth, left, excluded, excludedCount } = preview
  const isOver = worth !== null && left !== null && worth > left
  return (
    <>
      <dl className="coupon-sums">
        {worth !== null && (
          <div>
            <dt>{t('list.worth')}</dt>
            <dd>
              <Money paise={worth} />
            </dd>
          </div>
        )}
        {left !== null && (
          <div className={isOver ? 'is-over' : ''}>
            <dt>{t('list.left')}</dt>
            <dd>
              <Money paise={left} />
            </dd>
          </div>
        )}
      </dl>
      {isOver && (
        <p className="coupon-over" role="alert">
          {t('list.overBudget', { fits: fitsOf(preview), n: userIds.length })}
        </p>
      )}
      {excludedCount === 0 ? (
        !isOver && <p role="status">{t('list.all', { count: userIds.length })}</p>
      ) : (
        <LeftOut
          title={t('repayments:batch.excluded', { n: excludedCount })}
          groups={GRANT_EXCLUSIONS.map((why) => ({
            reason: t(`why.${why}`),
            ids: excluded.filter((one) => one.why === why).map(({ userId }) => userId),
          }))}
          more={
            excludedCount > excluded.length
              ? t('repayments:batch.more', { n: excludedCount - excluded.length })
              : null
          }
        />
      )}
    </>
  )
}
