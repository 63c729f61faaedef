import { useEffect, useState } from 'react'

/**
 * Drawn as one path; only this file loads the QR library. Without it the person types what is shown
 * beside it.
 */
export function QrPicture({
  text,
  label,
  className,
}: {
  text: string
  label: string
  className: string
}) {
  const [drawn, setDrawn] = useState<{ size: number; path: string } | null>(null)
  useEffect(() => {
    let gone = false
    void import('qrcode').then(
      ({ default: qrcode }) => {
        const { data, size } = qrcode.create(text, { errorCorrectionLevel: 'M' }).modules
        const path = [...data]
          .map((dark, at) => (dark ? `M${at % size} ${Math.floor(at / size)}h1v1h-1z` : ''))
          .join('')
        if (!gone) setDrawn({ size, path })
      },
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [text])
  return (
    <svg
      className={className}
      viewBox={drawn ? `-2 -2 ${drawn.size + 4} ${drawn.size + 4}` : '0 0 1 1'}
      role="img"
      aria-label={label}
    >
      {drawn ? <path d={drawn.path} /> : null}
    </svg>
  )
}
