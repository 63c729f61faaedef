import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { verifyOperateLog } from '#shared/access/operate-log-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

/**
 * Hashing this many entries takes tens of milliseconds, which is acceptable for the embedded
 * database.
 */
const PART = 2_000

/**
 * Verifies a part of the hash chain that `operate_log_seal` made: each entry's hash covers the
 * previous hash and its own content, and the numbers have no gap. The last entry of the previous
 * part is read again for its hash. It begins behind the entries that were exported and removed.
 */
export async function verifyChain(db: Db, after: number): Promise<DataOf<typeof verifyOperateLog>> {
  const { rows } = await sql<{
    start: number
    checked: number | null
    broken: number | null
    last_no: number
    hash: string
    waiting: number
    removed: number
  }>`
    with start as (
      select greatest(${after}::bigint, c.cut_no) as no, c.cut_no, c.cut_hash, c.last_no, c.last_hash
      from log_chain c
    ), part as (
      select l.chain_no, l.prev_hash, l.hash, sha256(l.prev_hash || convert_to(operate_log_content(l),
        'UTF8')) as digest
      from operate_log l, start s where l.chain_no between s.no and s.no + ${PART}::bigint
        and l.chain_no > s.cut_no
    ), linked as (
      select p.*, lag(p.hash, 1, case when s.no = s.cut_no then s.cut_hash end)
          over (order by p.chain_no) as expected_prev,
        lag(p.chain_no, 1, s.no) over (order by p.chain_no) as last_no from part p, start s
    )
    select s.no as start, (select max(p.chain_no) from part p) as checked,
      (select min(k.chain_no) from linked k where k.chain_no > s.no
        and (k.prev_hash is distinct from k.expected_prev or k.hash is distinct from k.digest
        or k.chain_no <> k.last_no + 1)) as broken,
      s.last_no, encode(s.last_hash, 'hex') as hash, (select count(*)::int from operate_log w
        where w.chain_no is null) as waiting, s.cut_no as removed
    from start s`.execute(db)
  const {
    start,
    checked: reached,
    broken,
    last_no: total,
    hash,
    waiting,
    removed,
  } = rows[0] as (typeof rows)[number]
  const checked = reached ?? start
  // the chain has a later number but the entry is missing: the end was cut off
  const cut = broken === null && checked < Math.min(total, start + PART) ? checked + 1 : null
  const brokenAt = broken ?? cut
  return {
    checked,
    total,
    brokenAt,
    next: brokenAt === null && checked < total ? checked : null,
    end: { no: total, hash },
    waiting,
    removed,
  }
}
