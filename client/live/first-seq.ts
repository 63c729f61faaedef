/** `X-Seq` of the first answer of this session: the socket resumes from there, so nothing falls between page and line. */
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
