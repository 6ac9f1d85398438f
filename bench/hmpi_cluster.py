#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""HMPI on a cluster: predicted beside measured time of the examples 19, 20, 21
and 25, and the arrangement that HMPI_Group_auto_create() chooses beside the
best one by brute force.

Usage: hmpi_cluster.py [option]...
  --run CMD       starts a program on all hosts: CMD -n P -- PROGRAM ...
                  (sh testing/hetcluster run)
  --processes P   of them (5)
  --build DIR     where the examples are built (build)
  --runs N        of which the median counts (3)
  --topology FILE the network; measured by hesca probe --topology without it
  --json          results as JSON

On one machine: sh testing/hetcluster up FILE first, see its help.
"""
import argparse
import json
import math
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile


def options():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument('--run', default='sh testing/hetcluster run')
    p.add_argument('--processes', type=int, default=5)
    p.add_argument('--build', default='build')
    p.add_argument('--runs', type=int, default=3)
    p.add_argument('--topology')
    p.add_argument('--json', action='store_true')
    return p.parse_args()


class Cluster:
    def __init__(self, o):
        self.o = o
        self.base = shlex.split(o.run) + ['-n', str(o.processes), '--']
        self.env = []

    def start(self, *words):
        done = subprocess.run(self.base + ['env'] + self.env + list(words),
                              capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            sys.exit('%s: exit status %d\n%s%s' % (
                ' '.join(words), done.returncode, done.stdout, done.stderr))
        return done.stdout + done.stderr

    def example(self, *words):
        """Medians of the seconds predicted and measured, and the line."""
        predicted, measured, text = [], [], ''
        path = os.path.join(self.o.build, 'examples', words[0])
        for _ in range(self.o.runs):
            text = self.start(os.path.abspath(path), *map(str, words[1:]))
            predicted.append(float(re.findall(
                r'processes, (\S+) s predicted', text)[-1]))
            measured.append(float(re.findall(r' in (\S+) s: 0 wrong',
                                             text)[-1]))
        line = [x for x in text.splitlines() if ': 0 wrong' in x][-1]
        return (statistics.median(predicted), statistics.median(measured),
                line)


CASES = [('19_hmpi_nbody', 60), ('19_hmpi_nbody', 120),
         ('25_hmpi_em3d', 100, 300), ('25_hmpi_em3d', 100, 600),
         ('20_hmpi_axbt', 640), ('20_hmpi_axbt', 960), ('20_hmpi_axbt', 1280),
         ('21_hmpi_axb', 10), ('21_hmpi_axb', 14), ('21_hmpi_axb', 18)]


def arrangements(example, p):
    if example == '20_hmpi_axbt':
        return [(k,) for k in range(1, p + 1)]
    return [(i, j) for i in range(1, p + 1) for j in range(1, p // i + 1)]


def main():
    o = options()
    c = Cluster(o)
    network = o.topology
    if network is None:
        network = os.path.join(tempfile.mkdtemp(), 'cluster.topo')
        c.start(os.path.abspath(os.path.join(o.build, 'src/tools/hesca')),
                'probe', '--topology', '-o', network)
    c.env = ['HMPI_DEBUG=1', 'HMPI_TOPOLOGY=' + os.path.abspath(network)]
    preload = os.path.join(o.build, 'src/.libs/libhesca_scalapack.so')
    if os.path.exists(preload):
        c.env.append('LD_PRELOAD=' + os.path.abspath(preload))
    rows, logs, chosen = [], [], []
    for words in CASES:
        predicted, measured, line = c.example(*words)
        logs.append(abs(math.log(predicted / measured)))
        row = {'example': words[0], 'size': words[1],
               'predicted': predicted, 'measured': measured, 'says': line}
        if words[0] in ('20_hmpi_axbt', '21_hmpi_axb'):
            all_of = {}
            for dims in arrangements(words[0], o.processes):
                all_of[dims] = c.example(*words, *dims)[:2]
            best = min(all_of, key=lambda d: all_of[d][1])
            dims = tuple(map(int, re.findall(
                r'on ([0-9]+)(?: x ([0-9]+))? processes', line)[0][
                    :len(best)]))
            row['chosen'], row['best'] = dims, best
            row['loss'] = all_of[dims][1] / all_of[best][1]
            row['all'] = {'x'.join(map(str, d)): v for d, v in all_of.items()}
            logs += [abs(math.log(v[0] / v[1])) for v in all_of.values()]
            chosen.append(row['loss'] <= 1.1)
        rows.append(row)
        if not o.json:
            print('%-14s %5d: predicted %8.4f s, measured %8.4f s, ratio %5.2f'
                  % (words[0], words[1], predicted, measured,
                     predicted / measured) +
                  ('; chosen %s, best %s, %.2f times its time' % (
                      'x'.join(map(str, row['chosen'])),
                      'x'.join(map(str, row['best'])), row['loss'])
                   if 'loss' in row else ''), flush=True)
    summary = {'median': statistics.median(logs), 'worst': max(logs),
               'within': sum(chosen), 'of': len(chosen)}
    if o.json:
        print(json.dumps({'cases': rows, **summary}, indent=1, default=str))
    else:
        print('|ln(predicted / measured)|: median %.3f, worst %.3f, of %d; '
              'chosen within 10 %% of the best: %d of %d' % (
                  summary['median'], summary['worst'], len(logs),
                  summary['within'], summary['of']))


if __name__ == '__main__':
    main()
