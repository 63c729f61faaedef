/** The files of a proof. */
import type { ReactNode } from 'react'
import { KeptFiles } from '#client/features/files/public.tsx'
import { proofFile } from '#shared/repayments/proofs-api.ts'
import type { ProofRow } from '../payment-types.ts'

export function ProofFiles({
  proof: { proofId, fileIds, fileKinds },
}: {
  proof: Pick<ProofRow, 'proofId' | 'fileIds' | 'fileKinds'>
}): ReactNode {
  const files = fileIds.map((fileId, i) => ({ fileId, kind: fileKinds[i] ?? 'jpg' }))
  return <KeptFiles files={files} source={{ endpoint: proofFile, of: { proofId } }} />
}
