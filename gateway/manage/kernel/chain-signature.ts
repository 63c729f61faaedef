/**
 * The signature of the operate log's chain, and anchors: the number and hash of an entry, kept
 * outside the database. The signature shows a chain that was made again without the key; an anchor
 * shows even one that was put back to an earlier, rightly signed state.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { InvariantResult } from '#gateway/manage/db/invariant.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { Secrets } from './secrets.ts'

export interface Anchor {
  no: number
  /** Hex. */
  hash: string
  signature: string
}

type Signer = Pick<Secrets, 'sign'>

export function signatureOf(secrets: Signer, no: number, hash: string): string {
  return secrets.sign('operate-log', `${no}\n${hash}`)
}

/** The end of the chain, signed. */
export async function readAnchor(db: Db, secrets: Signer): Promise<Anchor> {
  const { rows } = await sql<{ no: number; hash: string }>`
    select c.last_no as no, encode(c.last_hash, 'hex') as hash
    from log_chain c`.execute(db)
  const { no, hash } = rows[0] as { no: number; hash: string }
  return { no, hash, signature: signatureOf(secrets, no, hash) }
}

/** The last entry that was exported and removed; the chain begins behind it. */
export interface ChainCut {
  /** 0 = nothing was removed. */
  no: number
  /** Hex. */
  hash: string
  signature: string | null
}

export function cutSignatureOf(secrets: Signer, no: number, hash: string): string {
  return secrets.sign('operate-log-cut', `${no}\n${hash}`)
}

export async function readCut(db: Db): Promise<ChainCut> {
  const { rows } = await sql<ChainCut>`
    select c.cut_no as no, encode(c.cut_hash, 'hex') as hash, c.cut_signature as signature
    from log_chain c`.execute(db)
  return rows[0] as ChainCut
}

/** Whether this installation removed what is not there. */
export function isSignedCut(secrets: Signer, { no, hash, signature }: ChainCut): boolean {
  return no === 0 ? signature === null : signature === cutSignatureOf(secrets, no, hash)
}

/** One line: time, number, hash, signature. */
export function appendAnchor(file: string, { no, hash, signature }: Anchor): void {
  const line = [new Date().toISOString(), no, hash, signature].join(' ')
  appendFileSync(file, `${line}\n`, { mode: 0o600 })
}

/** Anchors of a file, oldest first; a line that was cut off by a crash is left out. */
export function anchorsOf(file: string): Anchor[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(' '))
    .filter((parts) => parts.length === 4)
    .map(([, no, hash = '', signature = '']) => ({ no: Number(no), hash, signature }))
}

/** Whether the entry signed last is still the one that was signed; true before the first. */
export async function isSignedChain(db: Db, secrets: Signer): Promise<boolean> {
  const { rows } = await sql<{
    signed_no: number | null
    signature: string | null
    hash: string | null
  }>`
    select c.signed_no, c.signature, encode(l.hash, 'hex') as hash
    from log_chain c
    left join operate_log l on l.chain_no = c.signed_no`.execute(db)
  const chain = rows[0]
  if (!chain) return false
  const { signed_no: no, signature, hash } = chain
  if (no === null || no === 0) return signature === null
  return hash !== null && signature === signatureOf(secrets, no, hash)
}

const AT_ONCE = 2_000

/**
 * Numbers of anchors that this installation did not sign, or whose entry is another one or gone.
 * Entries that were exported and removed are proven by their files.
 */
export async function brokenAnchors(
  db: Db,
  secrets: Signer,
  anchors: readonly Anchor[],
): Promise<number[]> {
  const forged = anchors
    .filter(({ no, hash, signature }) => signature !== signatureOf(secrets, no, hash))
    .map(({ no }) => no)
  const changed: number[] = []
  const cut = await readCut(db)
  if (anchors.some(({ no, hash }) => no === cut.no && no > 0 && hash !== cut.hash))
    changed.push(cut.no)
  for (let at = 0; at < anchors.length; at += AT_ONCE) {
    const part = anchors.slice(at, at + AT_ONCE).filter(({ no }) => no > cut.no)
    const { rows } = await sql<{ no: number }>`
      select a.no
      from jsonb_to_recordset(${JSON.stringify(part)}::jsonb) as a (no bigint, hash text)
      left join operate_log l on l.chain_no = a.no
      where encode(l.hash, 'hex') is distinct from a.hash
      order by a.no`.execute(db)
    changed.push(...rows.map(({ no }) => no))
  }
  return [...new Set([...forged, ...changed])].toSorted((a, b) => a - b)
}

/** The rules of `check:invariants` about the chain that need a key or a file. */
export async function checkChain(
  database: Database,
  secrets: Signer,
  anchors: readonly Anchor[],
): Promise<InvariantResult[]> {
  const isSigned = await isSignedChain(database.kysely, secrets)
  const broken = await brokenAnchors(database.kysely, secrets, anchors)
  const isCut = isSignedCut(secrets, await readCut(database.kysely))
  return [
    {
      code: 'K02',
      name: 'the operate log is signed by this installation',
      violations: isSigned ? 0 : 1,
      sample: isSigned ? [] : ['log_chain'],
    },
    {
      code: 'K03',
      name: `the operate log holds its ${anchors.length} anchors`,
      violations: broken.length,
      sample: broken.slice(0, 5).map((no) => `no. ${no}`),
    },
    {
      code: 'K04',
      name: 'what left the operate log was exported by this installation',
      violations: isCut ? 0 : 1,
      sample: isCut ? [] : ['log_chain'],
    },
  ]
}
