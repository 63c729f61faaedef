/**
 * Quality check of a decision: an inspector opens and judges it, the reviewer may appeal once, and
 * a leader decides the appeal.
 */
import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useState } from 'react'
import { call } from '#client/session/call.ts'
import { messageOf } from '#client/session/call-error.ts'
import { type Shortcut, useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { AreaField, SelectField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import {
  QUALITY_FAIL_CODES,
  QUALITY_PAIRS,
  QUALITY_PASS_CODES,
  type QualityCode,
} from '#shared/review/reject-reasons.ts'
import {
  appealQuality,
  checkQuality,
  decideAppeal,
  openQualityCheck,
} from '#shared/review/review-quality-api.ts'
import { can, type ReviewDetail, type Viewer } from '../review-types.ts'
import { qualityTone } from '../review-words.ts'
import { Section } from './DeskSection.tsx'
import type { Desk } from './use-desk.ts'
import { useNextCheck } from './use-next-check.ts'

type QualityAction = 'pass' | 'fail' | 'appeal' | 'upheld' | 'dismissed'

export function QualityPanel({
  detail,
  desk,
  viewer,
}: {
  detail: ReviewDetail
  desk: Desk
  viewer: Viewer
}): ReactNode {
  const t = useText('review')
  const [confirming, setConfirming] = useState<QualityAction | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const { review, allowed } = detail
  const { reviewId, version } = review
  const isOpen = allowed.includes('QC_PASS') || allowed.includes('QC_FAIL')
  const open = async () => {
    setFault(null)
    try {
      desk.take(await call(openQualityCheck, { reviewId, version }, { quiet: true }))
    } catch (error) {
      desk.takeRefusal(error)
      setFault(messageOf(error))
    }
  }
  const nextCheck = useNextCheck(reviewId)
  const checks = can(viewer, 'quality')
  const keys: Shortcut[] = [
    ...(allowed.includes('SAMPLE_OPEN')
      ? [{ id: 'quality', code: 'KeyQ', labelKey: 'review:quality.open', run: () => void open() }]
      : []),
    ...(isOpen
      ? [
          {
            id: 'quality-pass',
            code: 'KeyP',
            labelKey: 'review:quality.pass',
            run: () => setConfirming('pass'),
          },
          {
            id: 'quality-fail',
            code: 'KeyF',
            labelKey: 'review:quality.fail',
            run: () => setConfirming('fail'),
          },
        ]
      : []),
    ...(checks
      ? [
          {
            id: 'quality-next',
            code: 'KeyN',
            labelKey: 'review:quality.next',
            run: () => void nextCheck(),
          },
        ]
      : []),
  ]
  useShortcuts('screen', keys)
  const why = desk.offline
  return (
    <Section
      title={t('section.quality')}
      aside={
        <StatusTag tone={qualityTone(review.quality)}>
          {t(`qualityState.${review.quality}`)}
        </StatusTag>
      }
    >
      {review.qualityCode && (
        <p className="desk-line">
          {t(`quality.${review.qualityCode}`)}
          {review.qualityClass && (
            <span className="desk-muted"> · {t(`qualityClass.${review.qualityClass}`)}</span>
          )}
        </p>
      )}
      {review.qualityRemark && (
        <blockquote className="review-quote">{review.qualityRemark}</blockquote>
      )}
      {review.qualityBy && (
        <p className="desk-line desk-muted">
          {review.qualityBy} {review.qualityTime && <IstTime value={review.qualityTime} />}
        </p>
      )}
      {review.appealState && (
        <>
          <p className="desk-line">{t(`appealState.${review.appealState}`)}</p>
          {review.appealReason && (
            <blockquote className="review-quote">{review.appealReason}</blockquote>
          )}
          {review.appealDecideReason && (
            <blockquote className="review-quote">{review.appealDecideReason}</blockquote>
          )}
        </>
      )}
      <div className="desk-buttons">
        {allowed.includes('SAMPLE_OPEN') && (
          <ActionButton
            intent="primary"
            text={t('quality.open')}
            keys="Q"
            disabledReason={why}
            onClick={open}
          />
        )}
        {isOpen && (
          <ActionButton
            intent="success"
            text={t('quality.pass')}
            keys="P"
            disabledReason={why}
            onClick={() => setConfirming('pass')}
          />
        )}
        {isOpen && (
          <ActionButton
            intent="danger"
            text={t('quality.fail')}
            keys="F"
            disabledReason={why}
            onClick={() => setConfirming('fail')}
          />
        )}
        {checks && !isOpen && (
          <ActionButton
            text={t('quality.next')}
            keys="N"
            disabledReason={why}
            onClick={nextCheck}
          />
        )}
        {allowed.includes('APPEAL') && (
          <ActionButton
            text={t('quality.appeal')}
            disabledReason={why}
            onClick={() => setConfirming('appeal')}
          />
        )}
        {allowed.includes('APPEAL_UPHELD') && (
          <ActionButton
            intent="success"
            text={t('quality.uphold')}
            disabledReason={why}
            onClick={() => setConfirming('upheld')}
          />
        )}
        {allowed.includes('APPEAL_DISMISSED') && (
          <ActionButton
            intent="danger"
            text={t('quality.dismiss')}
            disabledReason={why}
            onClick={() => setConfirming('dismissed')}
          />
        )}
      </div>
      {fault && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      {review.quality === 'notChecked' &&
        !allowed.includes('SAMPLE_OPEN') &&
        review.reviewerId === viewer.userId &&
        viewer.sees === 'decided' && <p className="desk-line desk-muted">{t('refused.own')}</p>}
      {(confirming === 'pass' || confirming === 'fail') && (
        <CheckForm
          detail={detail}
          result={confirming}
          onDone={(row) => desk.take(row)}
          onClose={() => setConfirming(null)}
        />
      )}
      {(confirming === 'appeal' || confirming === 'upheld' || confirming === 'dismissed') && (
        <ConfirmAction
          isOpen
          title={t(`quality.ask.${confirming}`)}
          reason={{ min: 4, max: 500, label: t('form.reason') }}
          confirmText={t(`quality.ask.${confirming}`)}
          intent={confirming === 'dismissed' ? 'danger' : 'primary'}
          onConfirm={async (reason) =>
            desk.take(
              await (confirming === 'appeal'
                ? call(appealQuality, { reviewId, version, reason })
                : call(decideAppeal, { reviewId, version, result: confirming, reason })),
            )
          }
          onClose={() => setConfirming(null)}
        >
          <p>{t(`quality.about.${confirming}`)}</p>
        </ConfirmAction>
      )}
    </Section>
  )
}

interface CheckValues {
  reviewId: string
  version: number
  result: 'pass' | 'fail'
  qualityCode: QualityCode | ''
  remark: string
}
const OMIT = ['reviewId', 'version', 'result']

function CheckForm({
  detail: { review },
  result,
  onDone,
  onClose,
}: {
  detail: ReviewDetail
  result: 'pass' | 'fail'
  onDone: (row: Awaited<ReturnType<typeof call<typeof checkQuality>>>) => void
  onClose: () => void
}): ReactNode {
  const t = useText('review')
  // Preselects the point the reviewer judged, which is usually the one in question.
  const decided = review.rejectCode as keyof typeof QUALITY_PAIRS | null
  const likely = decided && decided in QUALITY_PAIRS ? QUALITY_PAIRS[decided][result] : ''
  const form = useSchemaForm<CheckValues>({
    schema: checkQuality.input,
    omit: OMIT,
    values: {
      reviewId: review.reviewId,
      version: review.version,
      result,
      qualityCode: likely,
      remark: '',
    },
    alsoRequired: ({ qualityCode }) => (qualityCode === 'E001' ? ['remark'] : []),
    onDone: onClose,
    onSubmit: async (input) =>
      onDone(
        await call(checkQuality, input as Parameters<typeof call<typeof checkQuality>>[1], {
          quiet: true,
        }),
      ),
  })
  const codes = result === 'pass' ? QUALITY_PASS_CODES : QUALITY_FAIL_CODES
  return (
    <FormDialog
      isOpen
      title={t(`quality.${result}`)}
      form={form}
      intent={result === 'pass' ? 'success' : 'danger'}
      submitText={t(`quality.${result}`)}
      onClose={onClose}
    >
      <SelectField
        name="qualityCode"
        label={t('form.qualityReason')}
        options={codes.map((code) => ({ value: code, label: `${code} ${t(`quality.${code}`)}` }))}
      />
      <AreaField
        name="remark"
        label={t('decide.remark')}
        maxLength={500}
        help={result === 'fail' ? t('form.remarkHelp') : undefined}
      />
    </FormDialog>
  )
}
