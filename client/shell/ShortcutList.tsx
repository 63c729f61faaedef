import { Dialog, DialogBody } from '@blueprintjs/core'
import { Fragment, useId, useState, useSyncExternalStore } from 'react'
import { useText } from '#client/base/use-text.ts'
import { OverlayHead } from '#client/ui/frame/OverlayHead.tsx'
import { offeredKeys } from '#client/ui/frame/offers.ts'
import { type ListedShortcut, printedKeys, shortcutStore } from '#client/ui/frame/shortcuts.ts'
import type { ListedIds } from './shortcut-list-store.ts'

/** The shortcuts available now: those of the screen first, then the global ones. */
export function ShortcutList({ ids, onClose }: { ids: ListedIds; onClose: () => void }) {
  const t = useText('shell')
  const titleId = useId()
  const all = useSyncExternalStore(shortcutStore.subscribe, shortcutStore.get)
  // The keys of the lists, filters and panes that are shown; a dialog covers them.
  const [kit] = useState(() => (ids === null ? offeredKeys() : []))
  const part = (scope: ListedShortcut['scope'], title: string) => {
    const own: Listed[] = withoutTwins(
      all.filter((shortcut) => shortcut.scope === scope && ids?.has(shortcut.id) !== false),
    )
    if (scope === 'screen')
      own.push(...kit.map(({ code, labelKey }) => ({ id: `${code} ${labelKey}`, code, labelKey })))
    return own.length === 0 ? null : (
      <section>
        <h3>{title}</h3>
        <dl>
          {own.map((shortcut) => (
            <Row key={shortcut.id} shortcut={shortcut} />
          ))}
        </dl>
      </section>
    )
  }
  return (
    <Dialog isOpen onClose={onClose} aria-labelledby={titleId} className="shortcut-list">
      <OverlayHead id={titleId} title={t('shortcuts.title')} onClose={onClose} />
      {/* the list scrolls: by keyboard only what can have the focus does */}
      <DialogBody useOverflowScrollContainer={false}>
        <div
          ref={takeFocus}
          className="shortcut-scroll"
          tabIndex={0}
          role="group"
          aria-label={t('shortcuts.title')}
        >
          {part('screen', t('shortcuts.here'))}
          {part('everywhere', t('shortcuts.everywhere'))}
          <p className="shortcut-note">{t('shortcuts.singleKeys')}</p>
        </div>
      </DialogBody>
    </Dialog>
  )
}

/** So that arrows and Page Down scroll the list at once. */
function takeFocus(list: HTMLElement | null): void {
  list?.focus()
}

type Listed = Omit<ListedShortcut, 'scope'>

/** One line where a page and its frame offer the same by the same key. */
function withoutTwins(shortcuts: readonly Listed[]): Listed[] {
  return [
    ...new Map(shortcuts.map((one) => [`${one.code} ${one.labelKey}`, one] as const)).values(),
  ]
}

function Row({ shortcut }: { shortcut: Listed }) {
  const t = useText('shell')
  const label = t(shortcut.labelKey, shortcut.labelParams)
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {printedKeys(shortcut.code).map((press, i) => (
          <Fragment key={press.join('+') + i}>
            {i > 0 ? <span className="shortcut-then">{t('shortcuts.then')}</span> : null}
            {press.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </Fragment>
        ))}
      </dd>
    </div>
  )
}
