import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import { KeyHint } from '#client/ui/frame/KeyHint.tsx'

/** News is announced to screen readers at most this often. */
const SPEAK_MS = 10_000

/** "▲ 7 new · 2 moved": rows that wait because the list is in use. */
export function LivePill({
  pending,
  onApply,
}: {
  pending: { added: number; moved: number }
  onApply: () => void
}): ReactNode {
  const t = useText('ui')
  const words = [
    pending.added > 0 && t('live.new', { count: pending.added }),
    pending.moved > 0 && t('live.moved', { count: pending.moved }),
  ]
    .filter(Boolean)
    .join(' · ')
  const spoken = useSparse(words)
  return (
    <>
      <span className="visually-hidden" role="status">
        {spoken}
      </span>
      {words && (
        <Button
          className="live-pill"
          intent="primary"
          size="small"
          onClick={onApply}
          data-shortcut="Period"
          title={t('live.apply')}
        >
          ▲ {words}
          <KeyHint keys="." />
        </Button>
      )}
    </>
  )
}

function useSparse(text: string): string {
  const [spoken, setSpoken] = useState('')
  const last = useRef(-Infinity)
  useEffect(() => {
    const timer = setTimeout(
      () => {
        last.current = uiNow()
        setSpoken(text)
      },
      Math.max(0, last.current + SPEAK_MS - uiNow()),
    )
    return () => clearTimeout(timer)
  }, [text])
  return spoken
}
