/**
 * Removes months of the operate log after their term, each night: their entries are written to a file
 * outside the database, the file is proven, the chain's beginning is moved behind them and signed,
 * and only then the month is taken off the log and dropped. Entries that are in no month are deleted in
 * small statements. A run that was cut off continues where it was.
 */
import { mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as rest } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  briefly,
  type LogPart,
  monthOf,
  partsUntil,
  removeMonth,
} from '#gateway/manage/db/months.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type ChainCut, cutSignatureOf, readCut } from '#gateway/manage/kernel/chain-signature.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { termDays } from '#gateway/manage/kernel/retained.ts'
import { type Archive, type ArchivedEntry, writeArchive } from './log-archive.ts'

const NAME = 'logRemoval'
/** DPDP Rules 2025, rule 6: logs are kept for one year at least. */
const LEAST_DAYS = 365
/** Entries of one file, of one statement that reads them, and of one that deletes them. */
const FILE = 50_000
const READ = 500
const DELETED = 500
/** The newest always stay: the hourly proof and the signature of the end need them. */
const KEPT = 1_000

export const logRemoval: ScheduledClass = {
  name: NAME,
  cycle: '0 3 * * *',
  async run(context) {
    const { logArchiveDir: directory, database, stopping } = context
    const db = database.kysely
    await removeCut(context)
    if (directory === null) return {}
    const days = await termDays(context, 'retention.operateLogDays', LEAST_DAYS)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    let removed = 0
    while (!stopping.aborted) {
      const cut = await readCut(db)
      const term = await termOf(db, days)
      const archive = await writeArchive(
        directory,
        context.secrets,
        { after: cut.no, prev: cut.hash },
        oldEntries(context, cut, term),
      )
      if (archive === null) break
      // another core removed them meanwhile, with a file of its own
      if (!(await moveCut(context, cut, archive))) break
      await removeCut(context)
      removed += archive.to - cut.no
    }
    return { removed }
  },
}

interface Term {
  /** ISO 8601; no younger entry goes. */
  before: string
  /** Number of the last entry of the months that are over; those sealed among them go along. */
  last: number
}

async function termOf(db: Db, days: number): Promise<Term> {
  const moment = sql`clock_timestamp() - make_interval(days => ${days})`
  const { rows } = await sql<{ before: string; months: string }>`
    select ${moment} as before, ${monthOf(moment)} as months`.execute(db)
  const { before, months } = rows[0] as { before: string; months: string }
  const ended = await sql<{ last: number }>`
    select coalesce(max(l.chain_no), 0) as last from operate_log l
    where l.time < ${months}::timestamptz`.execute(db)
  return { before, last: ended.rows[0]?.last ?? 0 }
}

/** Sealed entries behind the cut whose term is over, up to the first that stays. */
async function* oldEntries(
  { database, stopping }: AppContext,
  cut: ChainCut,
  term: Term,
): AsyncGenerator<ArchivedEntry> {
  let last = cut.no
  while (last < cut.no + FILE && !stopping.aborted) {
    const { rows } = await sql<ArchivedEntry & { isOver: boolean }>`
      select l.chain_no as no, encode(l.hash, 'hex') as hash, operate_log_content(l) as content,
        l.time < ${term.before}::timestamptz as "isOver"
      from operate_log l
      where l.chain_no > ${last} and l.chain_no <= ${term.last}
        and l.chain_no <= (select coalesce(c.signed_no, 0) - ${KEPT}::bigint from log_chain c)
      order by l.chain_no limit ${READ}`.execute(database.kysely)
    for (const { isOver, ...entry } of rows) {
      if (!isOver) return
      yield entry
      last = entry.no
    }
    if (rows.length < READ) return
  }
}

/** @returns false when the cut was moved by somebody else */
async function moveCut(context: AppContext, cut: ChainCut, archive: Archive): Promise<boolean> {
  const { to, hash, sha256 } = archive
  const file = basename(archive.file)
  const signature = cutSignatureOf(context.secrets, to, hash)
  const { result } = await runCommand(
    context,
    {
      actor: systemActor(NAME),
      audit: {
        action: NAME,
        targetKind: 'operateLog',
        after: { from: cut.no + 1, to, file, sha256 },
      },
    },
    async ({ db }) => {
      const { numAffectedRows = 0n } = await sql`
        update log_chain set cut_no = ${to}, cut_hash = decode(${hash}, 'hex'),
          cut_signature = ${signature}, cut_time = (select max(l.time) from operate_log l
            where l.chain_no > ${cut.no} and l.chain_no <= ${to})
        where cut_no = ${cut.no}`.execute(db)
      return numAffectedRows === 1n
    },
  )
  return result
}

/** Removes what is older than the cut: whole months, with an entry that records it, else single rows. */
async function removeCut(context: AppContext): Promise<void> {
  for (const part of await partsUntil(context.database, 'operate_log', 'infinity')) {
    await removeOfPart(context, part)
    if (context.stopping.aborted) return
  }
}

async function removeOfPart(context: AppContext, { table, month }: LogPart): Promise<void> {
  const { rows, stay } = await stateOf(context.database.kysely, table)
  const gone = rows - stay
  if (gone === 0) return
  if (month === null || stay > 0) {
    // a month is exported in several files; those of it that were sealed among the month before are few
    if (month === null || gone <= DELETED) await deleteRows(context, table)
    return
  }
  await briefly(() =>
    runCommand(
      context,
      {
        actor: systemActor(NAME),
        audit: { action: NAME, targetKind: 'operateLog', after: { month, rows } },
      },
      ({ db }) => removeMonth(db, 'operate_log', table),
    ),
  )
}

/** How many entries a part has, and how many of them are not behind the cut. */
async function stateOf(db: Db, table: string): Promise<{ rows: number; stay: number }> {
  // nothing of a part whose first entry stays is counted
  const { rows } = await sql<{ rows: number; stay: number }>`
    select count(*)::int as rows,
      (count(*) filter (where l.chain_no is null or l.chain_no > c.cut_no))::int as stay
    from ${sql.table(table)} l cross join log_chain c
    where exists (select from ${sql.table(table)} f where f.chain_no <= c.cut_no)`.execute(db)
  return rows[0] as { rows: number; stay: number }
}

/** Between two statements it rests as long as one took, so that half of the time is others'. */
async function deleteRows({ database, stopping }: AppContext, table: string): Promise<void> {
  for (;;) {
    const from = performance.now()
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where id in (
        select l.id from ${sql.table(table)} l where l.chain_no <= (select c.cut_no from log_chain c)
        order by l.chain_no limit ${DELETED})`.execute(database.kysely)
    if (numAffectedRows < BigInt(DELETED) || stopping.aborted) return
    await rest(performance.now() - from)
  }
}
