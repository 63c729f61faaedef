import Type from 'typebox'
import { endpoint, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { PROOF_STATES, RULE_GROUPS } from './ledger-proof-sets.ts'

/** The ledger is proven each night and when an administrator requests it. */
const text = Type.String()
const int = Type.Integer()

const ProofRow = Type.Object({
  proofId: text,
  state: OneOf(PROOF_STATES),
  startTime: text,
  finishTime: Nullable(text),
  /** Null: started by the schedule. */
  askedByName: Nullable(text),
  rules: int,
  broken: int,
})

export const ledgerProof = endpoint({
  method: 'GET',
  path: '/ledger/proof',
  access: ['operate_record:view'],
  menu: 'operate_record',
  input: Type.Object({}),
  data: Type.Object({
    /** Newest first. */
    proofs: Type.Array(ProofRow),
    /** Result of the newest finished proof; null before the first. */
    last: Nullable(
      Type.Object({
        ...ProofRow.properties,
        entries: int,
        postings: int,
        groups: Type.Array(
          Type.Object({ group: OneOf(RULE_GROUPS), codes: Type.Array(text), broken: int }),
        ),
        /** Rules that do not hold, with ids of the first rows that violate them. */
        faults: Type.Array(Type.Object({ code: text, violations: int, sample: Type.Array(text) })),
        /** Paise. */
        accounts: Type.Array(Type.Object({ account: text, debit: int, credit: int })),
      }),
    ),
  }),
  summary: 'The last proof of the books, its figures, and the proofs before it',
})

export const proveLedger = endpoint({
  method: 'POST',
  path: '/ledger/prove',
  access: ['operate_record:prove'],
  menu: 'operate_record',
  input: Type.Object({}, { additionalProperties: false }),
  data: Type.Object({ jobId: text }),
  audit: 'proveLedger',
  summary: 'Starts a proof of the books; one runs at a time',
})
