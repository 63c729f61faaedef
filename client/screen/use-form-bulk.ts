import { useRef, useState } from 'react'
import { type Bulk, type BulkOptions, useBulk } from './use-bulk.tsx'

export interface FormBulk extends Bulk {
  /** False while the rows are shown in place of the form. */
  isOpen: boolean
  /** For the form's own end: it gives way to the rows when some were refused, and goes otherwise. */
  leave: () => void
}

/** A bulk action of a form that is mounted for one question: it stays until its rows were seen. */
export function useFormBulk({
  onClose,
  ...options
}: Pick<BulkOptions, 'key' | 'done' | 'onDone'> & { onClose: () => void }): FormBulk {
  const hasRows = useRef(false)
  const [isOpen, setOpen] = useState(true)
  const bulk = useBulk({
    ...options,
    onOpened: () => void (hasRows.current = true),
    onClosed: onClose,
  })
  return { ...bulk, isOpen, leave: () => (hasRows.current ? setOpen(false) : onClose()) }
}
