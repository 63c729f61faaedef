import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import { deleteDict, updateDict } from '#shared/system/dict-api.ts'

/**
 * Edits and deletes a type or an entry; a built-in one stays. Null when the page grants neither.
 */
export function useRowActions<Row extends { builtIn: boolean }>({
  onEdit,
  onDelete,
}: {
  onEdit: (row: Row) => void
  onDelete: (row: Row) => void
}): ((row: Row) => RowAction[]) | null {
  const t = useText('system')
  const { reason: offline } = useConnection()
  const mayEdit = usePermission(updateDict.access)
  const mayDelete = usePermission(deleteDict.access)
  if (!mayEdit && !mayDelete) return null
  return (row) => [
    ...(mayEdit
      ? [
          {
            id: 'edit',
            text: t('edit'),
            icon: 'edit',
            disabledReason: offline,
            onClick: () => onEdit(row),
          } as const,
        ]
      : []),
    ...(mayDelete
      ? [
          {
            id: 'delete',
            text: t('delete'),
            icon: 'delete',
            intent: 'danger',
            separated: true,
            disabledReason: row.builtIn ? t('fault.builtIn') : offline,
            onClick: () => onDelete(row),
          } as const,
        ]
      : []),
  ]
}
