import { TOAST_DURATION } from '../../../../../shared/constants.ts';
import { Button } from '../../../../../web/ui/button/button.tsx';
import { useToast } from '../../../../../web/ui/toast/toast-context.ts';
import { ToastProvider } from '../../../../../web/ui/toast/toast-provider.tsx';

const LONG =
  'The plugin could not be installed because somebody else has hidden it in the meantime, please look again.';

export function ToastPart() {
  return (
    <ToastProvider duration={TOAST_DURATION}>
      <Buttons />
    </ToastProvider>
  );
}

function Buttons() {
  const toast = useToast();
  return (
    <>
      <Button onClick={() => toast({ kind: 'success', text: 'Liked' })}>Short</Button>
      <Button onClick={() => toast({ kind: 'failure', text: LONG })}>Long</Button>
    </>
  );
}
