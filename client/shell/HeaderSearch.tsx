import { Button } from '@blueprintjs/core'
import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'

const SearchBox = lazyPart(() =>
  import('./search/SearchBox.tsx').then((m) => ({ default: m.SearchBox })),
)

/** Opens in place of its button; its code loads with the first search. */
export function HeaderSearch() {
  const t = useText('shell')
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const closed = (
    <Button
      ref={button}
      variant="minimal"
      icon="search"
      aria-label={t('search')}
      title={t('search')}
      aria-expanded={open}
      onClick={() => setOpen(true)}
    />
  )
  return open ? (
    <Suspense fallback={closed}>
      <SearchBox onClose={() => setOpen(false)} />
    </Suspense>
  ) : (
    closed
  )
}
