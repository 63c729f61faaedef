/**
 * `X-Seq` of the first answer of this session: the socket resumes from there, so no event between
 * the first page and the connection is missed.
 */
let first: number | null = null

export function noteSeq(header: string | null): void {
  const seq = Number(header)
  if (first === null && header && Number.isSafeInteger(seq)) first = seq
}

export function firstSeq(): number | null {
  return first
}

export function forgetSeq(): void {
  first = null
}
