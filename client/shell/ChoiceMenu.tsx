import { Button, type IconName, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import type { ReactElement } from 'react'

interface Choice<Value extends string> {
  value: Value
  text: string
  lang?: string
}

/** A navbar button that opens a menu with one selected option. */
export function ChoiceMenu<Value extends string>({
  icon,
  label,
  text,
  choices,
  chosen,
  onChoose,
}: {
  icon: IconName | ReactElement
  label: string
  text?: string
  choices: readonly Choice<Value>[]
  chosen: Value
  onChoose: (value: Value) => void
}) {
  return (
    <PopoverNext
      placement="bottom-end"
      content={
        <Menu role="listbox" aria-label={label}>
          {choices.map((choice) => (
            <MenuItem
              key={choice.value}
              roleStructure="listoption"
              text={<span lang={choice.lang}>{choice.text}</span>}
              selected={choice.value === chosen}
              onClick={() => onChoose(choice.value)}
            />
          ))}
        </Menu>
      }
      renderTarget={({ isOpen, ref, ...target }) => (
        <Button
          {...target}
          ref={ref as React.Ref<HTMLButtonElement>}
          variant="minimal"
          icon={icon}
          text={text}
          active={isOpen}
          aria-label={text ? `${label}: ${text}` : label}
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          title={label}
        />
      )}
    />
  )
}
