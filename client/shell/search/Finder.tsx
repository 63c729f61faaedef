/**
 * A search field with its results, as one combobox: arrow keys move through all groups, Enter
 * selects, the pointer does both.
 */
import './search.css'
import { Icon, type IconName } from '@blueprintjs/core'
import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'

export interface FinderOption {
  id: string
  icon: IconName
  text: string
  /** Where the result is found, or to whom it belongs. */
  note?: string
  /** Shortcut with the same effect. */
  keys?: readonly (readonly string[])[]
  /** Why it is disabled: it is shown and does nothing. Empty: no reason known. */
  disabledReason?: string | null
  run: () => void
}

export interface FinderGroup {
  title: string
  options: readonly FinderOption[]
}

interface FinderProps {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  groups: readonly FinderGroup[]
  onPick: (option: FinderOption) => void
  /** Text for an empty result; null before the first search. */
  empty: ReactNode
  onBlur?: () => void
}

export function Finder({
  label,
  placeholder,
  text,
  onText,
  groups,
  onPick,
  empty,
  onBlur,
}: FinderProps) {
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState(0)
  const options = groups.flatMap((group) => group.options)
  const at = Math.min(wanted, options.length - 1)
  const optionId = (option: FinderOption) => `${listId}-${option.id}`
  const active = options[at]

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, text])

  function pick(option: FinderOption) {
    if (!isRefused(option)) onPick(option)
  }

  function onKeyDown(event: KeyboardEvent) {
    // Enter during composition confirms a word, not a page.
    if (event.nativeEvent.isComposing) return
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key]
    if (to !== undefined && options.length > 0) {
      event.preventDefault()
      const isStep = Math.abs(to - at) === 1
      setWanted(
        isStep
          ? (to + options.length) % options.length
          : Math.max(0, Math.min(options.length - 1, to)),
      )
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      pick(active)
    }
  }

  return (
    <div className="finder">
      <div className="finder-field">
        <Icon icon="search" />
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active ? optionId(active) : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          maxLength={64}
          value={text}
          onChange={(event) => {
            setWanted(0)
            onText(event.target.value)
          }}
          onKeyDown={onKeyDown}
          onBlur={onBlur}
        />
      </div>
      <div
        className="finder-list"
        role="listbox"
        id={listId}
        aria-label={label}
        ref={list}
        tabIndex={-1}
        hidden={options.length === 0}
      >
        {groups.map((group) =>
          group.options.length === 0 ? null : (
            <div key={group.title} role="group" aria-label={group.title}>
              <div className="finder-group" role="presentation">
                {group.title}
              </div>
              {group.options.map((option) => (
                <div
                  key={option.id}
                  id={optionId(option)}
                  role="option"
                  aria-selected={option === active}
                  aria-disabled={isRefused(option) || undefined}
                  className={`finder-option${isRefused(option) ? ' is-refused' : ''}`}
                  onMouseMove={() => setWanted(options.indexOf(option))}
                  // Before the field loses the focus.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => pick(option)}
                >
                  <Icon icon={option.icon} size={14} />
                  <span className="finder-text">{option.text}</span>
                  {option.disabledReason || option.note ? (
                    <span className="finder-note">{option.disabledReason || option.note}</span>
                  ) : null}
                  {option.keys ? (
                    <span className="finder-keys" aria-hidden="true">
                      {option.keys.map((press, i) => (
                        <Fragment key={i}>
                          {press.map((key) => (
                            <kbd key={key}>{key}</kbd>
                          ))}
                        </Fragment>
                      ))}
                    </span>
                  ) : null}
                </div>
              ))}
            </div>
          ),
        )}
      </div>
      {options.length === 0 && empty ? (
        <p className="finder-empty" role="status">
          {empty}
        </p>
      ) : null}
    </div>
  )
}

function isRefused({ disabledReason }: FinderOption): boolean {
  return typeof disabledReason === 'string'
}
