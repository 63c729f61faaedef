import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { listPersons, personOptions } from '#shared/telemarketing/person-api.ts'

export type TelePerson = DataOf<typeof listPersons>['rows'][number]
export type PersonOptions = DataOf<typeof personOptions>
