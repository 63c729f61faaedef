import Type, { type Static } from 'typebox'
import { endpoint, Id, MapOf, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { BREAKER_STATES, SERVICE_STATUSES, VENDOR_KINDS } from './vendor-kinds.ts'

/**
 * Third parties, their configurations, and the services of an app: which configuration serves it
 * for a kind. Values of keys are written only: no call answers them.
 */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }
const menu = 'three_config'

const webAddress = (max: number) =>
  Type.String({
    maxLength: max,
    pattern: '^https?://[A-Za-z0-9[]([A-Za-z0-9.:\\]-]*[A-Za-z0-9\\]])?(/[^\\s"<>?#]*)?$',
    fault: 'vendors:fault.url',
  })

/** Of a configuration: the last hour, at most its newest 500 calls. */
export const health = {
  breaker: OneOf(BREAKER_STATES),
  attempts: int,
  /** Basis points of the attempts that were taken; null without any. */
  successRate: Nullable(int),
  /** Milliseconds within which 95 of 100 attempts were answered. */
  p95: Nullable(int),
  lastError: maybe,
  lastErrorTime: maybe,
  /** When a left-out configuration is tried again. */
  retryTime: maybe,
}

export const ServiceRow = Type.Object({
  id: text,
  appId: text,
  appName: text,
  thirdPartyId: text,
  thirdPartyCode: text,
  thirdPartyName: text,
  kind: OneOf(VENDOR_KINDS),
  cfgId: text,
  cfgName: text,
  priority: int,
  share: int,
  remark: text,
  status: OneOf(SERVICE_STATUSES),
  /** No other service of the app and kind is on: it cannot be switched off. */
  isLast: Type.Boolean(),
  updateTime: text,
  version: int,
  ...health,
})

export const listServices = endpoint({
  method: 'POST',
  path: '/tp/list',
  access: ['three_config:view'],
  menu,
  input: Type.Object(
    {
      ...ListInput({}).properties,
      appId: Type.Optional(Id()),
      thirdPartyId: Type.Optional(Id()),
      kind: Type.Optional(OneOf(VENDOR_KINDS)),
      status: Type.Optional(OneOf(SERVICE_STATUSES)),
    },
    strict,
  ),
  data: ListData(ServiceRow),
  summary: 'Third-party services of apps',
})

export const ConfigurationRow = Type.Object({
  cfgId: text,
  name: text,
  thirdPartyId: text,
  thirdPartyCode: text,
  thirdPartyName: text,
  kind: OneOf(VENDOR_KINDS),
  site: maybe,
  sandbox: Type.Boolean(),
  baseUrl: text,
  /** Names of the keys that are set, and of those that are needed but not set. */
  keys: Type.Array(text),
  unset: Type.Array(text),
  timeoutMs: int,
  /** Names of the apps it serves. */
  apps: Type.Array(text),
  status: OneOf(SERVICE_STATUSES),
  createTime: text,
  version: int,
  ...health,
})

export const listConfigurations = endpoint({
  method: 'POST',
  path: '/tp/cfg/list',
  access: ['three_config:view'],
  menu,
  input: Type.Object(
    {
      ...ListInput({}).properties,
      thirdPartyId: Type.Optional(Id()),
      kind: Type.Optional(OneOf(VENDOR_KINDS)),
      breaker: Type.Optional(OneOf(BREAKER_STATES)),
    },
    strict,
  ),
  data: ListData(ConfigurationRow),
  summary: 'Configurations of third parties, with their health',
})

/** Fields of a service; the screen of EMI apps saves the same. */
export const service = {
  appId: Id(),
  thirdPartyId: Id(),
  cfgId: Id(),
  priority: Type.Integer({ minimum: 1, maximum: 99 }),
  share: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  remark: Type.Optional(Text(0, 200)),
}

export const addService = endpoint({
  method: 'POST',
  path: '/tp/add/appTpCfg',
  access: ['three_config:add'],
  menu,
  input: Type.Object(service, strict),
  data: Type.Object({ id: text }),
  audit: 'add',
  summary: 'Adds a service to an app',
})

export const editService = endpoint({
  method: 'POST',
  path: '/tp/edit/appTpCfg',
  access: ['three_config:edit'],
  menu,
  input: Type.Object({ id: Id(), version: Version(), ...service }, strict),
  data: Type.Object({ id: text }),
  audit: 'edit',
  summary: 'Changes a service of an app',
})

export const setServiceStatus = endpoint({
  method: 'POST',
  path: '/tp/edit/status',
  access: ['three_config:status'],
  menu,
  input: Type.Object({ id: Id(), version: Version(), status: OneOf(SERVICE_STATUSES) }, strict),
  data: ServiceRow,
  audit: 'status',
  summary: 'Switches a service on or off; the last one of its kind stays on',
})

export const listThirdParties = endpoint({
  method: 'GET',
  path: '/tp/get/thirdParty',
  access: ['three_config:view', 'three_configure:view'],
  menu,
  input: Type.Object({ kind: Type.Optional(OneOf(VENDOR_KINDS)) }),
  data: Type.Array(
    Type.Object({
      thirdPartyId: text,
      code: text,
      name: text,
      kind: OneOf(VENDOR_KINDS),
      /** `enabled` once it has a configuration. */
      status: OneOf(SERVICE_STATUSES),
    }),
  ),
  summary: 'Third parties',
})

export const configurationsOf = endpoint({
  method: 'GET',
  path: '/tp/get/cfg',
  access: ['three_config:view', 'three_configure:view'],
  menu,
  input: Type.Object({ thirdPartyId: Id() }),
  data: Type.Array(
    Type.Object({
      cfgId: text,
      name: text,
      baseUrl: text,
      keys: Type.Array(text),
      status: OneOf(SERVICE_STATUSES),
    }),
  ),
  summary: 'Configurations of a third party, without the values of their keys',
})

export const listServiceApps = endpoint({
  method: 'GET',
  path: '/tp/apps',
  access: ['three_config:view'],
  menu,
  input: Type.Object({}),
  data: Type.Array(Type.Object({ appId: text, name: text, services: int })),
  summary: 'Apps that services can be added to',
})

export const addThirdParty = endpoint({
  method: 'POST',
  path: '/tp/add/thirdParty',
  access: ['three_config:add'],
  menu,
  input: Type.Object(
    {
      code: Type.String({
        minLength: 2,
        maxLength: 40,
        pattern: '^[A-Za-z][A-Za-z0-9._-]*$',
        fault: 'vendors:fault.code',
      }),
      name: Text(2, 60),
      kind: OneOf(VENDOR_KINDS),
      site: Type.Optional(webAddress(300)),
    },
    strict,
  ),
  data: Type.Object({ thirdPartyId: text }),
  audit: 'add',
  summary: 'Adds a third party',
})

const configuration = {
  thirdPartyId: Id(),
  name: Text(2, 60),
  baseUrl: webAddress(300),
  timeoutMs: Type.Optional(Type.Integer({ minimum: 500, maximum: 30_000 })),
}

/** Of a store of files: both are in the address of an object. */
export const BUCKET = '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$'
export const REGION = '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'
const Bucket = Type.String({
  maxLength: 63,
  pattern: BUCKET,
  fault: 'vendors:fault.bucket',
})
const Region = Type.String({
  maxLength: 40,
  pattern: REGION,
  fault: 'vendors:fault.region',
})

/** The same as a form, with a field for each key. */
export const ConfigurationForm = Type.Object({
  ...configuration,
  bucket: Type.Optional(Bucket),
  region: Type.Optional(Region),
  keyId: Text(1, 200),
  secret: Text(1, 4_000),
})
export type ConfigurationForm = Static<typeof ConfigurationForm>

export const addConfiguration = endpoint({
  method: 'POST',
  path: '/tp/add/cfg',
  access: ['three_config:add'],
  menu,
  input: Type.Object(
    {
      ...configuration,
      values: MapOf(Type.String({ minLength: 1, maxLength: 4_000 }), {
        keys: '^[A-Za-z][A-Za-z0-9_.-]{0,39}$',
        maxProperties: 20,
      }),
    },
    strict,
  ),
  data: Type.Object({ cfgId: text }),
  audit: 'add',
  summary: 'Adds a configuration; the values of its keys are sealed and never shown',
})

export const setConfigurationStatus = endpoint({
  method: 'POST',
  path: '/tp/cfg/status',
  access: ['three_config:status'],
  menu,
  input: Type.Object({ cfgId: Id(), version: Version(), status: OneOf(SERVICE_STATUSES) }, strict),
  data: ConfigurationRow,
  audit: 'status',
  summary: 'Retires a configuration that no service uses, or puts it back into use',
})

export const flushVendors = endpoint({
  method: 'GET',
  path: '/tp/flush/redis',
  access: ['three_config:flush'],
  menu,
  input: Type.Object({}),
  data: Type.Object({ count: int }),
  audit: 'flush',
  summary:
    'Every core and console reads the configurations again; those left out are tried at once',
})

export const generateServices = endpoint({
  method: 'POST',
  path: '/tp/generate/tpc',
  access: ['three_config:generate'],
  menu,
  input: Type.Object(
    { fromAppId: Id(), toAppId: Id(), overwrite: Type.Optional(Type.Boolean()) },
    strict,
  ),
  data: Type.Object({ added: int, skipped: int }),
  audit: 'generate',
  summary: 'Copies the services of an app to another one',
})
