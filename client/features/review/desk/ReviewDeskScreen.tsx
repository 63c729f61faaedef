/**
 * The review workspace: one item with documents, differences and decision; read-only except for its
 * holder.
 */
import { useText } from '#client/base/use-text.ts'
import '../review.css'
import './desk.css'
import './documents.css'
import './sections.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearch } from 'wouter'
import { queryOf } from '#client/session/query.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { isTyping } from '#client/ui/frame/shortcut.ts'
import { reviewColleagues } from '#shared/review/review-api.ts'
import { ReviewForms, type OpenForm } from '../list/ReviewForms.tsx'
import { useGoBack } from '#client/screen/use-go-back.ts'
import { afterPause } from '#client/ui/frame/pause-key.ts'
import { can, type ReviewDetail, type Viewer } from '../review-types.ts'
import { useViewer } from '../use-viewer.ts'
import { AskForm, EscalateForm } from './DeskForms.tsx'
import { DecisionPane } from './DecisionPane.tsx'
import { DeskBanner } from './DeskBanner.tsx'
import { DeskBar } from './DeskBar.tsx'
import { DeskFooter, deskActions } from './DeskFooter.tsx'
import { DocumentPane } from './DocumentPane.tsx'
import { EvidencePane } from './EvidencePane.tsx'
import { readAutoClaim, storeAutoClaim } from './auto-claim.ts'
import { hasOpenFailed } from './review-desk-machine.ts'
import { type Desk, useDesk } from './use-desk.ts'
import { useDecision } from './use-decision.ts'
import { useMyQueue } from './use-my-queue.ts'

export function Screen() {
  const reviewId = new URLSearchParams(useSearch()).get('reviewId') ?? ''
  const viewer = useViewer()
  const desk = useDesk(reviewId, viewer)
  if (desk.detail) return <Open key={reviewId} detail={desk.detail} desk={desk} viewer={viewer} />
  return <Waiting desk={desk} />
}

function Waiting({ desk }: { desk: Desk }) {
  const t = useText('review')
  const goBack = useGoBack('review_list')
  if (desk.known.missing)
    return (
      <Empty reason={t('desk.missing')} action={{ text: t('ui:detail.back'), onClick: goBack }} />
    )
  if (desk.error) return <ErrorPane error={desk.error} onRetry={desk.retry} />
  return (
    <div className="desk is-loading" role="status" aria-label={t('desk.loading')}>
      <div className="desk-bar">
        <span className="bp6-skeleton">{t('desk.loading')}</span>
      </div>
      <div className="desk-panes">
        <div className="desk-documents" />
        <div className="desk-evidence">
          {Array.from({ length: 10 }, (_, i) => (
            <p key={i} className="bp6-skeleton desk-skeleton" />
          ))}
        </div>
        <div className="desk-decision">
          {Array.from({ length: 6 }, (_, i) => (
            <p key={i} className="bp6-skeleton desk-skeleton" />
          ))}
        </div>
      </div>
    </div>
  )
}

function Open({ detail, desk, viewer }: { detail: ReviewDetail; desk: Desk; viewer: Viewer }) {
  const { reviewId } = detail.review
  const [form, setForm] = useState<OpenForm | null>(null)
  const [own, setOwn] = useState<'ask' | 'escalate' | null>(null)
  const [autoClaim, setAutoClaim] = useState(readAutoClaim)
  const [left, setLeft] = useState<string | null>(null)
  const queue = useMyQueue(reviewId, viewer)
  const knowsColleagues =
    can(viewer, 'handover') || can(viewer, 'assign') || can(viewer, 'takeOver')
  const colleagues = useQuery({
    ...queryOf(reviewColleagues, {}, { quiet: true }),
    enabled: knowsColleagues && form !== null,
  })
  const claims = can(viewer, 'claim')
  const goBack = useGoBack('review_list')
  const leave = async (claim: boolean) => setLeft(await queue.leave(claim && claims))
  const decision = useDecision(reviewId, viewer.userId, desk, () => {
    if (claims && autoClaim) void leave(true)
  })
  const next = claims ? () => leave(true) : null
  const row = {
    ...detail.review,
    version: Math.max(detail.review.version, desk.known.version),
    token: desk.known.token,
  }
  const actions = deskActions({
    detail,
    desk,
    viewer,
    run: (id) => {
      if (id === 'ask' || id === 'escalate') setOwn(id)
      else setForm({ kind: id, rows: [row] })
    },
  })
  const decides = desk.place === 'deciding'
  const chooses = decides || desk.place === 'opening'

  useShortcuts('screen', [
    ...(chooses
      ? [
          {
            id: 'pass',
            code: 'KeyP',
            labelKey: 'review:key.pass',
            run: () => decision.choose('passed'),
          },
          {
            id: 'reject-customer',
            code: 'KeyR',
            labelKey: 'review:key.reject',
            run: () => decision.choose('failed'),
          },
          {
            id: 'commit',
            code: 'Control+Enter',
            labelKey: 'review:key.commit',
            when: () => decides || !hasOpenFailed(desk.known),
            run: () => void decision.commit(),
          },
        ]
      : []),
    ...actions
      .filter(({ keys }) => keys !== undefined)
      .map(({ id, keys, refusal, run }) => ({
        id,
        code: `Key${keys}`,
        labelKey: `review:action.${id}`,
        when: () => refusal === null,
        run,
      })),
    ...(claims
      ? [
          {
            id: 'next',
            code: 'KeyJ',
            labelKey: 'review:key.nextItem',
            run: () => queue.step(1),
          },
          {
            id: 'previous',
            code: 'KeyK',
            labelKey: 'review:key.previousItem',
            run: () => queue.step(-1),
          },
          {
            id: 'claim-next',
            code: 'KeyG',
            labelKey: 'review:key.claimNext',
            when: () => desk.place === 'gone' || desk.place === 'lost' || desk.place === 'viewing',
            run: () => afterPause(() => void leave(true)),
          },
        ]
      : []),
    {
      id: 'to-list',
      code: 'Escape',
      labelKey: 'ui:detail.back',
      run: (event) => (isTyping(event.target) ? (event.target as HTMLElement).blur() : goBack()),
    },
  ])

  return (
    <div className="desk" data-place={desk.place}>
      <DeskBar
        detail={detail}
        desk={desk}
        viewer={viewer}
        counts={queue.counts}
        stats={queue.stats}
      />
      <DeskBanner
        detail={detail}
        desk={desk}
        draft={decision.draft}
        isRestored={decision.isRestored}
        left={left}
        onNext={next}
      />
      <div className="desk-panes">
        <DocumentPane
          customer={detail.customer}
          opens={['decide', 'quality', 'check', 'takeOver'].some((action) => can(viewer, action))}
          onUnreadable={decides ? decision.chooseReason : null}
          onRequest={
            actions.some((action) => action.id === 'ask' && !action.refusal)
              ? () => setOwn('ask')
              : null
          }
        />
        <EvidencePane detail={detail} viewer={viewer} />
        <DecisionPane detail={detail} desk={desk} decision={decision} viewer={viewer} />
      </div>
      <DeskFooter
        desk={desk}
        decision={decision}
        actions={actions}
        autoClaim={claims ? autoClaim : null}
        onBack={goBack}
        onAutoClaim={(on) => {
          storeAutoClaim(on)
          setAutoClaim(on)
        }}
      />
      <ReviewForms
        open={form}
        colleagues={colleagues.data ?? []}
        onClose={() => setForm(null)}
        onDone={() =>
          form?.kind === 'release' &&
          void queue.leave(false).then((came) => came === 'empty' && goBack())
        }
        takeRow={desk.take}
      />
      {own === 'escalate' && (
        <EscalateForm
          desk={desk}
          reviewId={reviewId}
          onClose={() => setOwn(null)}
          onDone={() => claims && autoClaim && void leave(true)}
        />
      )}
      {own === 'ask' && (
        <AskForm
          desk={desk}
          reviewId={reviewId}
          onClose={() => setOwn(null)}
          onDone={() => claims && autoClaim && void leave(true)}
        />
      )}
    </div>
  )
}
