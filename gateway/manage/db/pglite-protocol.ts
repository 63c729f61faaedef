// What the main thread and the thread of PGlite say to each other, besides the clients' own ports.
import type { MessagePort } from 'node:worker_threads'
import type { Copied } from './copy-directory.ts'
import type { ServerSettings } from './pglite-stream.ts'

export interface WorkerOptions {
  /** PGlite's own program. */
  wasm: WebAssembly.Module
  /** PGDATA directory, or null for a database in memory. */
  databaseDir: string | null
  loadFrom: string | null
  waitMillis: number
  /** By how much its clock is moved, ms (a demo). */
  clockShift: number
}

export type ToWorker =
  | { type: 'connect'; port: MessagePort }
  | { type: 'dump'; id: number; path: string }
  | { type: 'copy'; id: number; path: string; earlier: { dir: string; at: number } | null }
  | { type: 'close' }

export type FromWorker =
  | { type: 'ready'; settings: ServerSettings }
  | { type: 'dumped'; id: number; error: string | null }
  | { type: 'copied'; id: number; copied: Copied | null; error: string | null }
  /** Something failed that no client asked for. */
  | { type: 'trouble'; error: string }
  | { type: 'broken'; error: string }
