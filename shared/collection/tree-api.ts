import Type from 'typebox'
import { endpoint, Nullable } from '#shared/kernel/endpoint.ts'

/** Units and people by name: filters of many screens read it and load nothing else of the setup. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()

/** Everybody with a screen of collection. */
export const ANY_COLLECTION_MENU = [
  'overdue_stage:view',
  'urge_agencies:view',
  'urge_person:view',
  'urge_schedule:view',
  'pedding_list:view',
  'peded_list:view',
  'change_case:view',
  'urge_performance:view',
  'agency_detail:view',
  'recycle_bill:view',
  'decrease_bill:view',
  'loaned_board:view',
  'stop_collection:view',
] as const

export const collectionTree = endpoint({
  method: 'GET',
  path: '/collection/tree',
  // accounts have their agency as well
  access: [...ANY_COLLECTION_MENU, 'user:view'],
  menu: 'urge_agencies',
  input: Type.Object({}),
  data: Type.Object({
    agencies: Type.Array(
      Type.Object({ id: text, name: text, status: text, inHouse: Type.Boolean() }),
    ),
    departments: Type.Array(Type.Object({ id: text, name: text, agencyId: text })),
    groups: Type.Array(Type.Object({ id: text, name: text, agencyId: text, departmentId: text })),
    collectors: Type.Array(
      Type.Object({
        userId: text,
        userName: text,
        account: text,
        agencyId: maybe,
        departmentId: maybe,
        groupId: maybe,
        stageIds: Type.Array(text),
        online: Type.Boolean(),
        onDuty: Type.Boolean(),
        enabled: Type.Boolean(),
        openCases: int,
      }),
    ),
  }),
  summary: 'Agencies, departments, groups and collectors of the caller',
})
