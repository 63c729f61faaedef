import './key-hint.css'
import type { ReactNode } from 'react'

/**
 * Keys of a shortcut, e.g. `Ctrl+Enter`; read aloud only where the button does not name it itself.
 */
export function KeyHint({ keys, spoken = false }: { keys: string; spoken?: boolean }): ReactNode {
  return (
    <span className="key-hint" aria-hidden={spoken ? undefined : true}>
      {keys.split('+').map((key) => (
        <kbd key={key}>{key === 'Enter' ? '⏎' : key}</kbd>
      ))}
    </span>
  )
}
