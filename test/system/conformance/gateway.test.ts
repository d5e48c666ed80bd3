import t from 'tap';
import { testConformance } from '../../conformance/site.ts';

await testConformance(t, 'https://square.example');
