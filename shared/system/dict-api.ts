import Type from 'typebox'
import { endpoint, Id, Nothing, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'

/** Dictionaries: types with their entries, a label per language. */
const text = Type.String()
const int = Type.Integer()
const strict = { additionalProperties: false }
export const DETAIL_STATES = ['enabled', 'disabled'] as const
export const GENERATE_MODES = ['missing', 'overwrite'] as const

const code = Type.String({ minLength: 1, maxLength: 60, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' })
const sort = Type.Integer({ minimum: 0, maximum: 9999 })
const word = Type.String({ minLength: 1, maxLength: 200 })
/** English is required; a missing language falls back to English. */
const labels = Type.Object(
  {
    en: word,
    zh: Type.Optional(word),
    es: Type.Optional(word),
    ja: Type.Optional(word),
    vi: Type.Optional(word),
    id: Type.Optional(word),
    th: Type.Optional(word),
  } satisfies Record<(typeof LANGUAGES)[number], unknown>,
  strict,
)

export const DictRow = Type.Object({
  dictId: text,
  typeName: text,
  code: text,
  sort: int,
  builtIn: Type.Boolean(),
  detailCount: int,
  version: int,
})
export const DetailRow = Type.Object({
  detailId: text,
  parentId: text,
  code: text,
  labels,
  sort: int,
  state: OneOf(DETAIL_STATES),
  builtIn: Type.Boolean(),
  version: int,
})

export const listDict = endpoint({
  method: 'GET',
  path: '/sys/dict/listDict',
  access: 'any',
  menu: 'dict',
  // code tables are searched and sorted by their name in `language` (default English), others by
  // their stored name
  input: ListInput({
    language: Type.Optional(OneOf(LANGUAGES)),
    typeName: Type.Optional(Text(1, 50)),
    code: Type.Optional(Text(1, 60)),
  }),
  data: ListData(DictRow),
  summary: 'Types of dictionaries',
})

export const addDict = endpoint({
  method: 'POST',
  path: '/sys/dict/addDict',
  access: ['dict:add'],
  menu: 'dict',
  input: Type.Object({ typeName: Text(1, 50), code, sort: Type.Optional(sort) }, strict),
  data: Type.Object({ dictId: text }),
  audit: 'add',
  summary: 'Adds a type',
})

export const updateDict = endpoint({
  method: 'PUT',
  path: '/sys/dict/updateDict',
  access: ['dict:edit'],
  menu: 'dict',
  input: Type.Object({ dictId: Id(), version: Version(), typeName: Text(1, 50), sort }, strict),
  data: DictRow,
  audit: 'edit',
  summary: 'Changes a type except its code',
})

export const deleteDict = endpoint({
  method: 'DELETE',
  path: '/sys/dict/deleteDict',
  access: ['dict:delete'],
  menu: 'dict',
  input: Type.Object({ dictId: Id() }, strict),
  data: Nothing(),
  audit: 'delete',
  summary: 'Deletes a type with its entries',
})

export const listDictDetail = endpoint({
  method: 'GET',
  path: '/sys/dict/listDictDetail',
  access: 'any',
  menu: 'dict',
  /** One of the two is required. */
  input: ListInput({ parentId: Type.Optional(Id()), typeCode: Type.Optional(Text(1, 60)) }),
  data: ListData(DetailRow),
  summary: 'Entries of a type',
})

export const addDictDetail = endpoint({
  method: 'POST',
  path: '/sys/dict/addDictDetail',
  access: ['dict:add'],
  menu: 'dict',
  input: Type.Object(
    {
      parentId: Id(),
      code,
      labels,
      sort: Type.Optional(sort),
      state: Type.Optional(OneOf(DETAIL_STATES)),
    },
    strict,
  ),
  data: Type.Object({ detailId: text }),
  audit: 'add',
  summary: 'Adds an entry',
})

export const updateDictDetail = endpoint({
  method: 'PUT',
  path: '/sys/dict/updateDictDetail',
  access: ['dict:edit'],
  menu: 'dict',
  input: Type.Object(
    { detailId: Id(), version: Version(), labels, sort, state: OneOf(DETAIL_STATES) },
    strict,
  ),
  data: DetailRow,
  audit: 'edit',
  summary: 'Changes an entry except its code',
})

export const deleteDictDetail = endpoint({
  method: 'DELETE',
  path: '/sys/dict/deleteDictDetail',
  access: ['dict:delete'],
  menu: 'dict',
  input: Type.Object({ detailId: Id() }, strict),
  data: Nothing(),
  audit: 'delete',
  summary: 'Deletes an entry',
})

export const generateDict = endpoint({
  method: 'POST',
  path: '/sys/dict/generate/dict',
  access: ['dict:generate'],
  menu: 'dict',
  input: Type.Object(
    {
      typeCodes: Type.Array(code, { minItems: 1, maxItems: 100, uniqueItems: true }),
      mode: OneOf(GENERATE_MODES),
    },
    strict,
  ),
  data: Type.Object({ added: int, updated: int }),
  audit: 'generate',
  summary:
    'Writes built-in code tables into the dictionary: missing codes only, or all labels again',
})
