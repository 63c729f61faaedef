import { createContext, useContext } from 'react'
import type { Text } from '#client/base/use-text.ts'
import type { Catalogue } from '#shared/conditions/catalogue.ts'
import type { ConditionFaultKind } from '#shared/conditions/condition-faults.ts'
import type { DraftGroup, DraftNode } from './condition-draft.ts'

/** What the parts of an editor do to the tree. */
export interface EditorTools {
  catalogue: Catalogue
  t: Text
  root: DraftGroup
  /** Null also while the node was not touched. */
  faultOf(id: string): ConditionFaultKind | null
  touch(id: string): void
  /** @param about names an input: changes of the same one are one step of undo */
  change(root: DraftGroup, focus?: null, about?: string): void
  add(groupId: string, node: DraftNode): void
  duplicate(id: string): void
  move(id: string, by: -1 | 1, part?: 'first' | 'up' | 'down'): void
  remove(id: string): void
}

export const EditorContext = createContext<EditorTools | null>(null)

export function useEditor(): EditorTools {
  const tools = useContext(EditorContext)
  if (!tools) throw new Error('outside of a condition editor')
  return tools
}
