import type { collectionRules } from '#shared/collection/rules-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'

export type Rules = DataOf<typeof collectionRules>
