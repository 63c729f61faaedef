import type { FastifyBaseLogger } from 'fastify'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import type { StaffActor } from './actor.ts'
import type { Parameters } from './parameters.ts'
import type { Storage } from './storage.ts'
import type { Secrets } from './secrets.ts'

/** What every feature of manage is given: made once by buildManage. */
export interface AppContext {
  database: Database
  parameters: Parameters
  secrets: Secrets
  /** Null: anchors of the operate log are in the process log only. */
  anchorFile: string | null
  /** Where entries of the operate log go after their term; null: they stay in the database. */
  logArchiveDir: string | null
  log: FastifyBaseLogger
  /** Whether there is room to write. */
  storage: Pick<Storage, 'isFull'>
  /** Called after a commit that wrote events: the relay numbers and publishes them. */
  wakeRelay(): void
  /** Makes a scheduled class run as soon as it can, before its period is over. */
  wakeSchedule(taskClass: string): void
  /** The scheduled classes of this core. */
  taskClasses(): readonly string[]
  /** Called after a commit that queued a job. */
  wakeJobs(): void
  /** Aborted when this process ends: long work stops after the part it is at. */
  stopping: AbortSignal
  /**
   * The bytes of an object at a vendor; null: it has no such object.
   * @throws Error when the vendor cannot be asked
   */
  fetchObject(place: ObjectPlace): Promise<Buffer | null>
  /** Forgets cached sessions, of one user or of all, at once. */
  forgetSessions(userId: string | null): void
  /** Lists that go into files, by the path of their call; filled as the routes are made. */
  lists: Map<string, ExportableList>
  /** Whether answers are checked against their schema (always in tests). */
  checkAnswers: boolean
}

/** Where an object lies: at the store of a configuration. */
export interface ObjectPlace {
  id: string
  cfgId: string
  /** Bytes there. */
  size: number
}

/** A list read by its own query, with the scope and the masks of who asks. */
export interface ExportableList {
  endpoint: Endpoint
  /**
   * @param filters as the call takes them @param most rows at most, by one statement
   * @throws Problem as the call does
   */
  rows(
    actor: StaffActor,
    filters: unknown,
    most: number,
  ): Promise<{ rows: unknown[]; total: number; isCapped: boolean }>
  /**
   * How many there are, without reading one: exact to `most`, which one more stands for when there
   * are more.
   * @throws Problem as the call does
   */
  count(actor: StaffActor, filters: unknown, most: number): Promise<number>
  /**
   * The whole answer, such as a report's rows with their sum.
   * @throws Problem as the call does
   */
  answer(actor: StaffActor, filters: unknown): Promise<unknown>
  /** @throws Problem for filters the call does not take */
  check(filters: unknown): void
}
