import Type from 'typebox'
import { endpoint, Id, OneOf, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { SERVICE_STATUSES, VENDOR_KINDS } from './vendor-kinds.ts'
import { service, ServiceRow } from './vendors-api.ts'

/** Services of the apps that lend in equated monthly instalments: the same rows, with rights of their own. */
const strict = { additionalProperties: false }
const menu = 'three_configure'

export const listEmiServices = endpoint({
  method: 'POST',
  path: '/emi/thirty/page',
  access: ['three_configure:view'],
  menu,
  input: Type.Object(
    {
      ...ListInput({}).properties,
      appId: Type.Optional(Id()),
      kind: Type.Optional(OneOf(VENDOR_KINDS)),
      status: Type.Optional(OneOf(SERVICE_STATUSES)),
    },
    strict,
  ),
  data: ListData(ServiceRow),
  summary: 'Third-party services of EMI apps',
})

export const listEmiApps = endpoint({
  method: 'GET',
  path: '/emi/thirty/apps',
  access: ['three_configure:view'],
  menu,
  input: Type.Object({}),
  data: Type.Array(Type.Object({ appId: Type.String(), name: Type.String() })),
  summary: 'Apps with EMI terms',
})

export const saveEmiService = endpoint({
  method: 'POST',
  path: '/emi/appThirty',
  access: ['three_configure:edit'],
  menu,
  /** With `id` and `version` the service is changed, else added. */
  input: Type.Object(
    {
      id: Type.Optional(Id()),
      version: Type.Optional(Version()),
      ...service,
      status: Type.Optional(OneOf(SERVICE_STATUSES)),
    },
    strict,
  ),
  data: ServiceRow,
  audit: 'edit',
  summary: 'Saves a third-party service of an EMI app',
})
