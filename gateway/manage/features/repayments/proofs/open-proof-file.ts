/** Opens a file of a proof for one user. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { proofFile } from '#shared/repayments/proofs-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { openKeptFile } from '#gateway/manage/kernel/kept-files.ts'
import type { FileAnswer } from '#gateway/manage/kernel/answer.ts'
import { proofsInScope } from './proof-rows.ts'

/** @throws Problem G404 outside the caller's scope */
export async function openProofFile(
  tx: CommandTx,
  { proofId, fileId }: InputOf<typeof proofFile>,
): Promise<FileAnswer> {
  const isOf = sql<boolean>`
    o.id in (select x.file_id from repay_proof_file x join repay_proof f on f.id = x.proof_id
      where f.id = ${proofId} and ${proofsInScope(staff(tx.actor))})`
  return openKeptFile(tx, {
    fileId,
    isOf,
    action: 'proofFile',
    targetKind: 'proof',
    targetId: proofId,
  })
}
