/** Closed sets of payment proofs. */
import type { FileKind } from '#shared/kernel/file-kind.ts'

export const PROOF_STATES = ['pending', 'accepted', 'rejected'] as const
export type ProofState = (typeof PROOF_STATES)[number]
export const PROOF_SUBMITTERS = ['customer', 'staff'] as const

/** Limits for the files of a proof: number, size, types. */
export const PROOF_FILES = {
  most: 3,
  bytes: 5 * 1_048_576,
  kinds: ['jpg', 'png', 'pdf'],
} as const satisfies { most: number; bytes: number; kinds: readonly FileKind[] }
