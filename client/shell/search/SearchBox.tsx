/** The open header search; finds titles of the menu only. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { Finder } from './Finder.tsx'
import { usePageSearch } from './use-page-search.ts'

export function SearchBox({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('search')
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const pages = usePageSearch(text)
  return (
    <div className="header-search" onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <Finder
        label={t('header')}
        placeholder={t('headerHint')}
        text={text}
        onText={setText}
        groups={[
          {
            title: t('group.pages'),
            options: pages.map((page) => ({
              id: page.name,
              icon: 'document',
              text: page.title,
              note: page.trail.join(' / '),
              run: () => navigate(page.path),
            })),
          },
        ]}
        empty={text.trim() === '' ? null : t('none')}
        onPick={(option) => {
          onClose()
          option.run()
        }}
        onBlur={onClose}
      />
    </div>
  )
}
