/** Records of all kinds about the customer, by time. */
import type { ReactNode } from 'react'
import { orderStatusKey } from '#client/features/orders/public.tsx'
import { actorLabel } from '#client/session/actor-label.ts'
import { type Tone } from '#client/ui/value/StatusTag.tsx'
import { Timeline } from '#client/ui/value/Timeline.tsx'
import type { CustomerDetail } from '#shared/customers/customer-detail-api.ts'
import { MOST_ROWS } from '#shared/customers/customer-sets.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { type OfCustomer, Section } from './record-parts.tsx'

const STEP_TONES: Record<string, Tone> = {
  registered: 'good',
  order: 'info',
  listed: 'bad',
  unlisted: 'neutral',
  ticket: 'warn',
}

export function TimelineTab({ userId }: OfCustomer): ReactNode {
  const t = useCustomerText()
  return (
    <Section userId={userId} sections={['timeline']}>
      {({ timeline = [] }) => (
        <>
          <Timeline
            label={t('tab.timeline')}
            items={timeline.map((step, i) => ({
              id: `${step.time} ${i}`,
              at: step.time,
              tone: STEP_TONES[step.kind] ?? 'neutral',
              title: t(`step.${step.kind}`, { ref: step.ref, state: stateOf(step) }),
              actor: step.by === null ? null : actorLabel(step.by),
            }))}
          />
          {timeline.length === MOST_ROWS && (
            <p className="customer-muted">{t('detail.most', { n: MOST_ROWS })}</p>
          )}
        </>
      )}
    </Section>
  )

  function stateOf({ kind, code }: NonNullable<CustomerDetail['timeline']>[number]): string {
    if (code === null) return ''
    return kind === 'order'
      ? t(orderStatusKey(Number(code)), { code })
      : kind === 'ticket'
        ? t(`tickets:type.${code}`)
        : t(`source.${code}`)
  }
}
