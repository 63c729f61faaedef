import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { PARAMETER_TYPES } from './parameter-value.ts'

/** Parameters: values that administrators can change. */
const text = Type.String()
const maybe = Nullable(text)
const strict = { additionalProperties: false }
export const CONFIG_STATES = ['enabled', 'disabled'] as const
/** Of a batch. */
export const MOST_PARAMETERS = 200

export const ConfigRow = Type.Object({
  configId: text,
  number: text,
  code: text,
  name: text,
  value: text,
  valueType: OneOf(PARAMETER_TYPES),
  state: OneOf(CONFIG_STATES),
  builtIn: Type.Boolean(),
  remark: maybe,
  updateBy: maybe,
  updateTime: text,
  version: Type.Integer(),
})

export const listConfig = endpoint({
  method: 'GET',
  path: '/sys/config/list',
  access: ['conf:view'],
  menu: 'conf',
  // `name` searches and sorts built-in parameters by their name in `language` (default English),
  // others by their stored name
  input: ListInput({
    language: Type.Optional(OneOf(LANGUAGES)),
    number: Type.Optional(Text(1, 40)),
    code: Type.Optional(Text(1, 80)),
    name: Type.Optional(Text(1, 80)),
    state: Type.Optional(OneOf(CONFIG_STATES)),
  }),
  data: ListData(ConfigRow),
  summary: 'Parameters',
})

const code = Type.String({ minLength: 2, maxLength: 80, pattern: '^[A-Za-z][A-Za-z0-9._]*$' })

export const findConfig = endpoint({
  method: 'GET',
  path: '/sys/config/find',
  // public parameters are readable by everybody
  access: 'any',
  input: Type.Object({ code }),
  data: ConfigRow,
  summary: "A parameter by its code; non-public ones need the list's menu",
})

const value = Type.String({ maxLength: 2000 })
const added = {
  number: Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z0-9._-]+$' }),
  code: Type.String({
    minLength: 2,
    maxLength: 80,
    pattern: '^[a-z][a-z._]*$',
    fault: 'system:fault.code',
  }),
  name: Text(1, 80),
  value,
  valueType: OneOf(PARAMETER_TYPES),
  remark: Type.Optional(Type.String({ maxLength: 300 })),
}
const edited = {
  configId: Id(),
  version: Version(),
  name: Text(1, 80),
  value,
  remark: Type.Optional(Type.String({ maxLength: 300 })),
}

export const addConfig = endpoint({
  method: 'POST',
  path: '/sys/config/addConfig',
  access: ['conf:add'],
  menu: 'conf',
  input: Type.Object(added, strict),
  data: Type.Object({ configId: text }),
  audit: 'add',
  summary: 'Adds a parameter',
})

export const updateConfig = endpoint({
  method: 'PUT',
  path: '/sys/config/updateConfig',
  access: ['conf:edit'],
  menu: 'conf',
  input: Type.Object(edited, strict),
  data: ConfigRow,
  audit: 'edit',
  summary: 'Changes a parameter; it takes effect at once',
})

export const setConfigState = endpoint({
  method: 'PUT',
  path: '/sys/config/modifyState',
  access: ['conf:status'],
  menu: 'conf',
  input: Type.Object({ configId: Id(), version: Version(), state: OneOf(CONFIG_STATES) }, strict),
  data: ConfigRow,
  audit: 'status',
  summary: 'Switches a custom parameter; built-in ones cannot be switched off',
})

export const refreshConfig = endpoint({
  method: 'POST',
  path: '/sys/config/refreshConfig',
  access: ['conf:refresh'],
  menu: 'conf',
  input: Type.Object({}, strict),
  data: Type.Object({ count: Type.Integer() }),
  audit: 'refresh',
  summary: 'Makes every process read the parameters again',
})

const batch = Type.Object({ ok: Type.Integer(), failed: Type.Integer() })

export const addConfigs = endpoint({
  method: 'POST',
  path: '/sys/config/batch/add',
  access: ['conf:add'],
  menu: 'conf',
  input: Type.Object(
    { items: Type.Array(Type.Object(added, strict), { minItems: 1, maxItems: MOST_PARAMETERS }) },
    strict,
  ),
  data: batch,
  audit: 'batchAdd',
  summary: 'Adds parameters, all or none',
})

export const updateConfigs = endpoint({
  method: 'POST',
  path: '/sys/config/batch/edit',
  access: ['conf:edit'],
  menu: 'conf',
  input: Type.Object(
    { items: Type.Array(Type.Object(edited, strict), { minItems: 1, maxItems: MOST_PARAMETERS }) },
    strict,
  ),
  data: batch,
  audit: 'batchEdit',
  summary: 'Changes parameters, all or none',
})
