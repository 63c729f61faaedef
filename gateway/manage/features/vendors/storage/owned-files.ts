import type { RawBuilder } from 'kysely'

/** Files of customers: they lie where the app of their customer has its store. */
export interface OwnedFiles {
  /** The customer of a file, over `file_object o`; null for every other file. Reads an index. */
  customerOf: RawBuilder<unknown>
}

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    ownedFiles: OwnedFiles
  }
}
