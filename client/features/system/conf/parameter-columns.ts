/** Columns of the list of parameters. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import { parameterName } from './parameter-name.ts'
import type { Parameter } from './parameter-types.ts'

const title = (name: string) => `system:conf.col.${name}`
export const PARAMETER_COLUMNS: readonly GridColumn<Parameter>[] = [
  idColumn<Parameter>({ id: 'code', title: title('code'), width: 236, sort: 'code', pin: 'left' }),
  textColumn<Parameter>({
    id: 'name',
    title: title('name'),
    width: 420,
    sort: 'name',
    text: (row, { t }) => parameterName(t, row),
    tip: (row, { t }) => parameterName(t, row),
  }),
  textColumn<Parameter>({ id: 'value', title: title('value'), width: 190 }),
  wordColumn<Parameter>({
    id: 'valueType',
    title: title('valueType'),
    width: 120,
    sort: 'valueType',
    word: (type, { t }) => t(`system:conf.type.${type}`),
  }),
  statusColumn<Parameter>({
    id: 'state',
    title: title('state'),
    width: 104,
    sort: 'state',
    word: (state, { t }) => t(`system:state.${state}`),
    tone: (state) => (state === 'enabled' ? 'good' : 'neutral'),
  }),
  yesNoColumn<Parameter>({ id: 'builtIn', title: title('builtIn'), width: 100 }),
  textColumn<Parameter>({ id: 'number', title: title('number'), width: 100, sort: 'number' }),
  textColumn<Parameter>({ id: 'remark', title: title('remark'), width: 200 }),
  textColumn<Parameter>({ id: 'updateBy', title: title('updateBy'), width: 140 }),
  timeColumn<Parameter>({ id: 'updateTime', title: title('updateTime'), sort: 'updateTime' }),
]
