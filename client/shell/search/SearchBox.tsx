/** The open header search: people, records and titles of the menu. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useText } from '#client/base/use-text.ts'
import { Finder, type FinderGroup } from './Finder.tsx'
import { useRecordOptions } from './record-options.ts'
import { usePageSearch } from './use-page-search.ts'

export function SearchBox({ onClose }: { onClose: () => void }) {
  const t = useText('search')
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const pages = usePageSearch(text)
  const records = useRecordOptions(text)
  const screens: FinderGroup = {
    title: t('group.pages'),
    options: pages.map((page) => ({
      id: page.name,
      icon: 'document',
      text: page.title,
      note: page.trail.join(' / '),
      run: () => navigate(page.path),
    })),
  }
  return (
    <div className="header-search" onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <Finder
        label={t('header')}
        placeholder={t('headerHint')}
        text={text}
        onText={setText}
        groups={/\d{3,}/.test(text) ? [...records.groups, screens] : [screens, ...records.groups]}
        empty={text.trim() === '' ? null : (records.empty ?? t('none'))}
        onPick={(option) => {
          onClose()
          option.run()
        }}
        onBlur={onClose}
      />
    </div>
  )
}
