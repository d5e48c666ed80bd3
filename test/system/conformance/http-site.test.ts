import t from 'tap';
import { testConformance } from '../../conformance/site.ts';

// On https it runs with every `npm test`.
await testConformance(t, 'http://localhost:8080');
