import './linked-text.css'
import type { ReactNode } from 'react'

/** Plain text with its links; line breaks are kept. */
export function LinkedText({
  parts,
}: {
  parts: readonly { text: string; href: string | null }[]
}): ReactNode {
  return (
    <p className="linked-text">
      {parts.map((part, i) =>
        part.href === null ? (
          part.text
        ) : (
          // The parts never change their order, because the text is rendered as a whole.
          <a
            key={i}
            href={part.href}
            target={part.href.startsWith('http') ? '_blank' : undefined}
            rel="noreferrer noopener"
          >
            {part.text}
          </a>
        ),
      )}
    </p>
  )
}
