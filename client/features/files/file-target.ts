/**
 * An element that accepts files by drop, paste or choice, each once, up to the limit of the rule.
 */
import { type ClipboardEvent, type DragEvent, useState } from 'react'
import type { FileRule } from '#shared/kernel/endpoint.ts'

export interface FileTarget {
  /** Files are dragged over it. */
  isOver: boolean
  isFull: boolean
  take: (more: Iterable<File>) => void
  remove: (file: File) => void
  /** Props of the element. */
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
      // pasted text goes to the focused field as usual
      onPaste: (event) => {
        if (event.clipboardData.files.length === 0) return
        event.preventDefault()
        take(event.clipboardData.files)
      },
    },
  }
}

/** Identity of a file, for list keys and duplicates. */
export const nameOf = (file: File): string => `${file.name}:${file.size}:${file.lastModified}`
