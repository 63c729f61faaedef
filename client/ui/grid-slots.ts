/** What the console puts around every list without its screens knowing of it: files, saved views. The kit names the places only. */
import { type ComponentType, createContext } from 'react'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import type { FileColumn } from './grid-export.ts'

/** Where rows came from. */
export interface GridSource {
  endpoint: Endpoint
  /** With page and size of the page shown. */
  input: Record<string, unknown>
}

export interface ExportSlot {
  source: GridSource
  /** What the list is called. */
  title: string
  total: number
  totalCapped: boolean
  /** Columns as they are shown now. */
  columns: () => readonly FileColumn[]
  /** The selected rows alone; null = all of the filter. */
  only: () => { field: string; ids: string[] } | null
  /** How many rows are selected. */
  chosen: number
}

export interface ViewsSlot {
  /** Name of the list: the person's columns are kept under it. */
  list: string
}

export interface GridSlots {
  Export?: ComponentType<ExportSlot>
  Views?: ComponentType<ViewsSlot>
}

export const GridSlotsContext = createContext<GridSlots>({})
