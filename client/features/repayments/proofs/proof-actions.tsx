/** What can be done with payment proofs. */
import { lazyPart } from '#client/base/load-part.ts'
import { panelAction } from '#client/screen/list/list-actions.ts'
import type { ListAction, ListTools } from '#client/screen/list/list-types.ts'
import { addProof, decideProof } from '#shared/repayments/proofs-api.ts'
import { proofRefusal } from '../forms/payment-rules.ts'
import type { ProofRow } from '../payment-types.ts'

// these load the form library and the viewer, which the list itself does not need
const ProofForm = lazyPart(() => import('./ProofForm.tsx').then((m) => ({ default: m.ProofForm })))
const AcceptForm = lazyPart(() =>
  import('./AcceptForm.tsx').then((m) => ({ default: m.AcceptForm })),
)
const RejectProof = lazyPart(() =>
  import('./RejectProof.tsx').then((m) => ({ default: m.RejectProof })),
)
const ProofDesk = lazyPart(() => import('./ProofDesk.tsx').then((m) => ({ default: m.ProofDesk })))

export const addAction = panelAction<null>({
  id: 'add',
  endpoint: addProof,
  text: 'proof.add',
  panel: (_, { done, close }) => <ProofForm orderId={null} onDone={done} onClose={close} />,
})

const acceptAction = panelAction<ProofRow>({
  id: 'accept',
  endpoint: decideProof,
  text: 'proof.accept',
  icon: 'tick',
  when: isPending,
  disabledReason: whyNot(true),
  panel: (proof, { fresh, takeRow, close }) => (
    <AcceptForm proof={fresh(proof)} onRow={takeRow} onClose={close} />
  ),
})

const rejectAction = panelAction<ProofRow>({
  id: 'reject',
  endpoint: decideProof,
  text: 'proof.reject',
  icon: 'cross',
  intent: 'danger',
  when: isPending,
  disabledReason: whyNot(false),
  panel: (proof, { fresh, takeRow, close }) => (
    <RejectProof proof={fresh(proof)} onRow={takeRow} onClose={close} />
  ),
})

export const proofActions = [
  panelAction<ProofRow>({
    id: 'look',
    text: 'proof.look',
    icon: 'eye-open',
    panel: (row, { fresh, takeRow, close }) => (
      <ProofDesk proof={fresh(row)} onRow={takeRow} onClose={close} />
    ),
  }),
  acceptAction,
  rejectAction,
]

export function isToDecide(proof: ProofRow, { may, user }: ListTools): boolean {
  return may(decideProof) && proofRefusal(proof, user.userId, false) === null
}

function isPending({ state }: ProofRow): boolean {
  return state === 'pending'
}

function whyNot(accepts: boolean): NonNullable<ListAction<ProofRow>['disabledReason']> {
  return (proof, { t, user }) => {
    const refusal = proofRefusal(proof, user.userId, accepts)
    return refusal === null ? null : t(refusal)
  }
}
