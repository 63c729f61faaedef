/** A column with sealed values; each feature names its own in its manifest. */
export interface SealedColumn {
  /** What the value is bound to, beside its row. */
  place: string
  table: string
  column: string
  /** Rows of the table that are sealed at all. */
  only?: string
  /** Rows in one transaction; 500 when left out. */
  chunk?: number
}
