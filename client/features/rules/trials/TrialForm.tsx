import { Button, InputGroup, NumericInput } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { alreadyRequested } from '#client/screen/waiting-approval.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { failureText } from '#client/ui/feedback/failure.ts'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { startTrial } from '#shared/rules/trial-api.ts'
import { TRIAL_KINDS, type TrialKind } from '#shared/rules/trial-sets.ts'
import type { Rule, RuleVersion } from '../book/rule-types.ts'
import { VersionSelect } from './VersionSelect.tsx'

const REASON_LEAST = 4
const PERCENT = 10

/** Begins a shadow at once, and asks a second person for a share. */
export function TrialForm({
  rule,
  versions,
  onStarted,
}: {
  rule: Rule
  versions: readonly RuleVersion[]
  onStarted: () => void
}): ReactNode {
  const t = useText('rules')
  const start = useSend(startTrial, { quiet: true })
  const candidates = versions.filter(({ state }) => state !== 'enabled')
  const [kind, setKind] = useState<TrialKind>('shadow')
  const [versionNo, setVersionNo] = useState(candidates[0]?.versionNo ?? 0)
  const [percent, setPercent] = useState(PERCENT)
  const [reason, setReason] = useState('')
  const waits = alreadyRequested(rule, 'ruleEnable', t)
  if (candidates.length === 0) return <p className="rule-facts">{t('trial.noDraft')}</p>
  if (waits !== null) return <p className="rule-facts">{waits}</p>
  const isShare = kind === 'share'
  const isSized = !isShare || (Number.isInteger(percent) && percent >= 1 && percent <= 99)
  const isRight = isSized && reason.trim().length >= REASON_LEAST
  async function submit(): Promise<void> {
    const { ruleId, version } = rule
    const input = { ruleId, version, versionNo, kind, reason: reason.trim() }
    const { approvalId } = await start.mutateAsync({ ...input, ...(isShare && { percent }) })
    const message = t(approvalId === null ? 'trial.begun' : 'rule.asked')
    void showMessage({ intent: 'success', message, key: 'rule' })
    setReason('')
    onStarted()
  }
  return (
    <form
      className="trial-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isRight) void submit().catch(() => null)
      }}
    >
      <Segmented
        label={t('trial.kind')}
        segments={TRIAL_KINDS.map((value) => ({ value, label: t(`trial.kindName.${value}`) }))}
        value={kind}
        onChange={setKind}
      />
      <VersionSelect versions={candidates} value={versionNo} onChange={setVersionNo} />
      {isShare && (
        <label className="trial-field">
          <span>{t('trial.percent')}</span>
          <NumericInput
            value={percent}
            min={1}
            max={99}
            buttonPosition="none"
            intent={isSized ? 'none' : 'danger'}
            onValueChange={setPercent}
          />
        </label>
      )}
      <label className="trial-field trial-reason">
        <span>{t('trial.reason')}</span>
        <InputGroup value={reason} maxLength={200} onValueChange={setReason} />
      </label>
      <Button
        type="submit"
        icon="play"
        intent="primary"
        text={t(isShare ? 'trial.askShare' : 'trial.start')}
        loading={start.isPending}
        disabled={!isRight}
      />
      <p className="rule-facts trial-wide">{t(`trial.kindMeans.${kind}`)}</p>
      {start.error !== null && (
        <p className="fault trial-wide" role="alert">
          {failureText(start.error)}
        </p>
      )}
    </form>
  )
}
