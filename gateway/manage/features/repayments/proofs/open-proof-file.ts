/** A file of a proof for the eyes of one person, each opening logged. A picture leaves under a mark of who looks and when; a PDF is handed over as a file, for nothing of ours opens it. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { proofFile } from '#shared/repayments/proofs-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { FileAnswer } from '#gateway/manage/kernel/serve.ts'
import { watermarked } from '#gateway/manage/features/customers/public.ts'
import { FILE_PLACE } from './proof-store.ts'
import { proofsInScope } from './proof-rows.ts'

interface Row {
  id: string
  purpose: string
  name: string
  mime: string
  content: Buffer
  account: string
  now: string
}

/** Upright, as a telephone takes it. */
const SHEET = { width: 720, height: 1_280 }

/** @throws Problem G404 outside his scope */
export async function openProofFile(cx: Cx, { proofId, fileId }: InputOf<typeof proofFile>): Promise<FileAnswer> {
  const actor = staff(cx.actor)
  const { rows } = await sql<Row>`
    select o.id, o.purpose, o.name, o.mime, o.content, u.account, clock_timestamp() as now
    from repay_proof f join repay_proof_file x on x.proof_id = f.id join file_object o on o.id = x.file_id join sys_user u on u.id = ${actor.userId}
    where f.id = ${proofId} and x.file_id = ${fileId} and ${proofsInScope(actor)}`.execute(cx.db)
  const file = rows[0]
  if (!file) throw new Problem(NOT_FOUND)
  cx.log({ action: 'proofFile', targetKind: 'proof', targetId: proofId, after: { fileId, saved: file.mime === 'application/pdf' } })
  // drawn receipts of the demo lie open, as its drawn photos do
  const base64 = file.purpose === 'proof' ? cx.house.secrets.open(FILE_PLACE, file.id, file.content) : file.content.toString('base64')
  if (file.mime === 'application/pdf') return new FileAnswer(file.mime, Buffer.from(base64, 'base64'), file.name)
  return new FileAnswer('image/svg+xml', watermarked({ mime: file.mime, base64, account: file.account, at: file.now, hidesNumber: false, sheet: SHEET }))
}
