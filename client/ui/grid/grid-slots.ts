/**
 * What the console adds to every list without its screens: files and saved views. The kit only
 * defines the slots.
 */
import { type ComponentType, createContext } from 'react'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import type { FileColumn } from './grid-export.ts'

/** The call that returned the rows. */
export interface GridSource {
  endpoint: Endpoint
  /** With page and size of the page shown. */
  input: Record<string, unknown>
}

export interface ExportSlot {
  source: GridSource
  /** Title of the list. */
  title: string
  total: number
  totalCapped: boolean
  /** Columns as they are shown now. */
  columns: () => readonly FileColumn[]
  /** The selected rows alone; null = all that match the filter. */
  only: () => { field: string; ids: string[] } | null
  /** Number of selected rows. */
  chosen: number
}

export interface ViewsSlot {
  /** Name of the list: the user's columns are stored under it. */
  list: string
}

/** A report that may be made as a file each morning. */
export interface MorningSlot {
  source: GridSource
  title: string
  /** Days the report shows now. */
  days: number
  columns: () => readonly FileColumn[]
}

/** A report whose figures may get a limit. */
export interface LimitSlot {
  source: GridSource
}

export interface GridSlots {
  Export?: ComponentType<ExportSlot>
  Views?: ComponentType<ViewsSlot>
  Morning?: ComponentType<MorningSlot>
  Limit?: ComponentType<LimitSlot>
}

export const GridSlotsContext = createContext<GridSlots>({})
