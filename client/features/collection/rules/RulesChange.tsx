import '../collection.css'
import './rules.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { queryOf } from '#client/session/query.ts'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { collectionRules } from '#shared/collection/rules-api.ts'
import type { Rules } from './rule-types.ts'

// it loads the form library
const RulesForm = lazyPart(() => import('./RulesForm.tsx').then((m) => ({ default: m.RulesForm })))

/** The collection rules about to be changed to what they were before. */
export function RulesChange({
  before,
  onDone,
  onClose,
}: {
  before: Partial<Rules>
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('collection')
  const { data } = useQuery({ ...queryOf(collectionRules, {}), gcTime: 0, staleTime: 0 })
  return (
    <SideDrawer isOpen width={1080} title={t('menu.collect_config')} onClose={onClose}>
      <div className="collection-list">
        {data && (
          <RulesForm
            rules={data}
            proposed={before}
            isOvertaken={false}
            onRenew={onClose}
            onSaved={() => {
              onDone()
              onClose()
            }}
          />
        )}
      </div>
    </SideDrawer>
  )
}
