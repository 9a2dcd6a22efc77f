import { type ComboboxStore, useCombobox } from '@mantine/core'
import { useEscapeFrom } from '../escape.ts'

/**
 * The open and closed state of a list of choices. Open, its search has the focus. Closed by a choice or Escape, the focus
 * returns to the field; closed by a press elsewhere, it stays where the person went.
 */
export const useChoice = (onClosed: () => void): ComboboxStore => {
  const store = useCombobox({
    onDropdownClose: () => {
      store.resetSelectedOption()
      onClosed()
      // The press that closed the list moves the focus after this: only when it went nowhere is the field the place for it.
      setTimeout(() => {
        const active = document.activeElement
        if (!active || active === document.body || active.closest('.mantine-Combobox-dropdown'))
          store.focusTarget()
      }, 0)
    },
    onDropdownOpen: () => setTimeout(() => store.focusSearchInput(), 0),
  })
  useEscapeFrom(store.dropdownOpened, () => store.closeDropdown())
  return store
}
