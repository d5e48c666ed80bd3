import { Button } from '../../../../../web/ui/button/button.tsx';
import { Tooltip } from '../../../../../web/ui/tooltip/tooltip.tsx';
import styles from './tooltip-part.module.css';

const HOSTILE =
  'Press <kbd>J</kbd> or <a href="https://example.com/keys" onclick="steal()">read on</a>' +
  '<a href="javascript:steal()">do not</a><img src="/x.png" onerror="steal()"><script>steal()</script>' +
  '<b style="position:fixed">bold</b><iframe src="https://example.com"></iframe>' +
  '<style>*{display:none}</style><svg><a href="https://example.com">drawn</a></svg>' +
  '<a href="data:text/html,steal">nor this</a><form><input name="x"></form>';

const LONG =
  'A text that says a good deal more than a tooltip should, and goes on to a second and a third line. ';

export function TooltipPart() {
  return (
    <>
      <div className={styles.top}>
        <Tooltip text="At the top">
          <Button aria-label="At the top">Top</Button>
        </Tooltip>
      </div>
      <div className={styles.middle}>
        <Tooltip text={LONG.repeat(2)}>
          <Button>Long</Button>
        </Tooltip>
        <Tooltip html={HOSTILE}>
          <Button>Rich</Button>
        </Tooltip>
      </div>
    </>
  );
}
