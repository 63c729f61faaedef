import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'

const SearchBox = lazyPart(
  () => import('./search/SearchBox.tsx').then((m) => ({ default: m.SearchBox })),
  () => <SearchButton isOpen />,
)

/** Opens in place of its button; its code loads with the first search. */
export function HeaderSearch() {
  const [open, setOpen] = useState(false)
  return open ? (
    <SearchBox onClose={() => setOpen(false)} />
  ) : (
    <SearchButton isOpen={false} onOpen={() => setOpen(true)} />
  )
}

function SearchButton({ isOpen, onOpen }: { isOpen: boolean; onOpen?: () => void }): ReactNode {
  const t = useText('shell')
  return (
    <Button
      variant="minimal"
      icon="search"
      aria-label={t('search')}
      title={t('search')}
      aria-expanded={isOpen}
      onClick={onOpen}
    />
  )
}
