import Type from 'typebox'
import { endpoint, Id, MapOf, Nothing, Nullable, Text } from '#shared/kernel/endpoint.ts'
import { ListColumns } from '#shared/preferences/preferences-api.ts'

/**
 * Filters, sort and columns of a list under a name: a person's own views, and those shared with the
 * person's role.
 */
const text = Type.String()
const strict = { additionalProperties: false }

/** Name of a list; a list with tabs has one name per tab. */
const list = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_./:-]+$' })
/** As in the address. */
const filters = MapOf(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 60 }), {
  keys: '^[A-Za-z][A-Za-z0-9]{0,39}$',
  maxProperties: 40,
})
const sort = Type.String({
  maxLength: 120,
  pattern: '^([A-Za-z]+:(asc|desc)(,[A-Za-z]+:(asc|desc)){0,2})?$',
})

/** Of one list, of one person. */
export const MOST_VIEWS = 30

export const ViewRow = Type.Object({
  viewId: text,
  name: text,
  filters,
  columns: Nullable(ListColumns),
  sort: Nullable(text),
  shared: Type.Boolean(),
  isDefault: Type.Boolean(),
  isOwn: Type.Boolean(),
  ownerName: text,
})

export const listViews = endpoint({
  method: 'GET',
  path: '/view/list',
  access: 'any',
  input: Type.Object({ menu: list }),
  data: Type.Object({ rows: Type.Array(ViewRow) }),
  summary: "Saved views of a list: own ones, and those shared with the caller's role",
})

export const saveView = endpoint({
  method: 'POST',
  path: '/view/save',
  access: 'any',
  input: Type.Object(
    {
      viewId: Type.Optional(Id()),
      menu: list,
      name: Text(1, 40),
      filters,
      columns: Type.Optional(Nullable(ListColumns)),
      sort: Type.Optional(Nullable(sort)),
      shared: Type.Boolean(),
      isDefault: Type.Boolean(),
    },
    strict,
  ),
  data: Type.Object({ viewId: text }),
  audit: 'viewSave',
  summary: 'Saves an own view; sharing needs a group scope or wider',
})

export const deleteView = endpoint({
  method: 'DELETE',
  path: '/view/delete',
  access: 'any',
  input: Type.Object({ viewId: Id() }, strict),
  data: Nothing(),
  audit: 'viewDelete',
  summary: 'Deletes an own view',
})
