import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import { LANGUAGE_NAMES, LANGUAGES } from '#shared/kernel/languages.ts'
import { dictName } from './dict-name.ts'
import type { Dict, Entry } from './dict-types.ts'

const title = (name: string) => `system:dict.col.${name}`
export const TYPES: readonly GridColumn<Dict>[] = [
  idColumn<Dict>({
    id: 'typeName',
    title: title('typeName'),
    width: 166,
    sort: 'typeName',
    pin: 'left',
    text: (row, { t }) => dictName(t, row),
    tip: (row, { t }) => dictName(t, row),
  }),
  textColumn<Dict>({ id: 'code', title: title('code'), width: 132, sort: 'code' }),
  integerColumn<Dict>({ id: 'detailCount', title: title('detailCount'), width: 96 }),
  integerColumn<Dict>({ id: 'sort', title: title('sort'), width: 72, sort: 'sort' }),
  yesNoColumn<Dict>({ id: 'builtIn', title: title('builtIn'), width: 92 }),
]
export const ENTRIES: readonly GridColumn<Entry>[] = [
  idColumn<Entry>({ id: 'code', title: title('code'), width: 150, sort: 'code', pin: 'left' }),
  ...LANGUAGES.map((language) => ({
    ...textColumn<Entry>({
      id: `label.${language}`,
      title: LANGUAGE_NAMES[language],
      width: 170,
      value: (row) => row.labels[language] ?? '',
    }),
  })),
  integerColumn<Entry>({ id: 'sort', title: title('sort'), width: 72, sort: 'sort' }),
  statusColumn<Entry>({
    id: 'state',
    title: title('state'),
    width: 104,
    sort: 'state',
    word: (state, { t }) => t(`system:state.${state}`),
    tone: (state) => (state === 'enabled' ? 'good' : 'neutral'),
  }),
  yesNoColumn<Entry>({ id: 'builtIn', title: title('builtIn'), width: 92 }),
  textColumn<Entry>({ id: 'parentId', title: title('parentId'), width: 110, hidden: true }),
]
