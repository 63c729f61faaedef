/** A place that takes files: dropped, pasted or chosen, each once, as many as the rule allows. */
import { type ClipboardEvent, type DragEvent, useState } from 'react'
import type { FileRule } from '#shared/kernel/endpoint.ts'

export interface FileTarget {
  /** Files are over it now. */
  isOver: boolean
  isFull: boolean
  take: (more: Iterable<File>) => void
  remove: (file: File) => void
  /** For the element that is the place. */
  place: {
    onDragOver: (event: DragEvent) => void
    onDragLeave: () => void
    onDrop: (event: DragEvent) => void
    onPaste: (event: ClipboardEvent) => void
  }
}

export function useFileTarget(
  files: readonly File[],
  rule: Pick<FileRule, 'most'>,
  onChange: (files: readonly File[]) => void,
): FileTarget {
  const [isOver, setOver] = useState(false)
  const take = (more: Iterable<File>) => {
    const known = new Set(files.map(nameOf))
    onChange(
      [...files, ...[...more].filter((file) => !known.has(nameOf(file)))].slice(0, rule.most),
    )
  }
  return {
    isOver,
    isFull: files.length >= rule.most,
    take,
    remove: (file) => onChange(files.filter((one) => one !== file)),
    place: {
      onDragOver: (event) => {
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      },
      // words that are pasted go where they go
      onPaste: (event) => {
        if (event.clipboardData.files.length === 0) return
        event.preventDefault()
        take(event.clipboardData.files)
      },
    },
  }
}

/** One file is known by it, for lists and for what was taken already. */
export const nameOf = (file: File): string => `${file.name}:${file.size}:${file.lastModified}`
