/** Grants a coupon to customers who were chosen on a list or a page. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { useFormBulk } from '#client/screen/use-form-bulk.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { SelectField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { couponOptions, grantCoupon } from '#shared/coupons/coupons-api.ts'
import { couponChoices } from './coupon-words.ts'

export interface GrantFormProps {
  customers: readonly { userId: string; name: string }[]
  onDone?: () => void
  onClose: () => void
}

const OMIT = ['userIds', 'source'] as const

export function GrantForm({ customers, onDone, onClose }: GrantFormProps): ReactNode {
  const t = useText('coupons')
  const { reason: offline } = useConnection()
  const options = useQuery(queryOf(couponOptions, {}, { quiet: true }))
  const send = useSend(grantCoupon, { quiet: true })
  const bulk = useFormBulk({
    key: 'coupons',
    done: (count) => t('list.done', { count }),
    onDone: () => onDone?.(),
    onClose,
  })
  const form = useSchemaForm<{ couponId: string; userIds: string[] }>({
    schema: grantCoupon.input,
    omit: OMIT,
    values: { couponId: '', userIds: customers.map(({ userId }) => userId) },
    async onSubmit({ couponId, userIds }) {
      const grant = (ids: string[]) => send.mutateAsync({ couponId, userIds: ids })
      await bulk.run(userIds, grant, true)
      bulk.leave()
    },
  })
  const coupons = options.data?.coupons ?? []
  const isNone = options.data !== undefined && coupons.length === 0
  return (
    <>
      <FormDialog
        isOpen={bulk.isOpen}
        width={600}
        title={
          customers.length === 1
            ? t('grantTo', { name: customers[0]?.name ?? '' })
            : t('grantToMany', { n: customers.length })
        }
        form={form}
        submitText={t('grant')}
        submitRefused={offline ?? (isNone ? t('noOptions') : null)}
        onClose={onClose}
      >
        <SelectField
          name="couponId"
          label={t('col.couponName')}
          options={couponChoices(coupons, t)}
          {...(isNone ? { help: t('noOptions') } : {})}
        />
      </FormDialog>
      {bulk.drawer}
    </>
  )
}
