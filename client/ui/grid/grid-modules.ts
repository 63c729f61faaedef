/** The AG Grid modules a list needs, and its theme by our tokens. Community edition only. */
import {
  CellStyleModule,
  ClientSideRowModelApiModule,
  ClientSideRowModelModule,
  ColumnApiModule,
  EventApiModule,
  HighlightChangesModule,
  LocaleModule,
  ModuleRegistry,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
  themeQuartz,
  TooltipModule,
} from 'ag-grid-community'

export { AgGridReact } from 'ag-grid-react'

ModuleRegistry.registerModules([
  ClientSideRowModelModule,
  ClientSideRowModelApiModule,
  ColumnApiModule,
  RowSelectionModule,
  RowStyleModule,
  CellStyleModule,
  HighlightChangesModule,
  LocaleModule,
  EventApiModule,
  RenderApiModule,
  RowApiModule,
  ScrollApiModule,
  TooltipModule,
])
// Its texts are 60 KB; esbuild drops the branch in production.
if (process.env.NODE_ENV !== 'production')
  void import('ag-grid-community').then(({ ValidationModule }) =>
    ModuleRegistry.registerModules([ValidationModule]),
  )

/** Colours and sizes are CSS variables, so a change of theme or size does not involve the grid. */
export const gridTheme = themeQuartz.withParams({
  backgroundColor: 'var(--surface)',
  foregroundColor: 'var(--ink)',
  textColor: 'var(--ink)',
  headerBackgroundColor: 'var(--surface-sunken)',
  headerTextColor: 'var(--ink)',
  headerFontWeight: 600,
  chromeBackgroundColor: 'var(--surface)',
  oddRowBackgroundColor: 'var(--surface)',
  rowHoverColor: 'var(--surface-hover)',
  selectedRowBackgroundColor: 'var(--surface-selected)',
  borderColor: 'var(--line)',
  rowBorder: { color: 'var(--line)' },
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  borderRadius: 'var(--radius)',
  accentColor: 'var(--primary)',
  focusShadow: 'none',
  valueChangeValueHighlightBackgroundColor: 'var(--flash-good)',
  fontFamily: 'var(--font)',
  fontSize: 'var(--font-size)',
  headerFontSize: 'var(--font-size)',
  rowHeight: 'var(--row-height)',
  headerHeight: 'var(--grid-header-height)',
  cellHorizontalPadding: 8,
  spacing: 6,
  iconSize: 14,
  browserColorScheme: 'inherit',
  checkboxUncheckedBorderColor: 'var(--line-strong)',
  checkboxCheckedBackgroundColor: 'var(--primary)',
  checkboxCheckedBorderColor: 'var(--primary)',
  checkboxCheckedShapeColor: 'var(--primary-ink)',
  tooltipBackgroundColor: 'var(--surface)',
  tooltipTextColor: 'var(--ink)',
})

/** The page's nonce, for the style sheet AG Grid writes. */
export function styleNonce(): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')
  return meta?.nonce || meta?.content || undefined
}
