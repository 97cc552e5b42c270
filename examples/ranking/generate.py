#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Orders of a small shop: the same 600 lines on every run (a linear congruential generator, no library's randomness).

    generate.py FOLDER        writes orders.csv and products.csv
"""
import sys

PRODUCTS = [("espresso", "coffee", 450), ("filter", "coffee", 380), ("decaf", "coffee", 420), ("beans 1 kg", "coffee", 1899),
            ("sencha", "tea", 520), ("assam", "tea", 480), ("rooibos", "tea", 390), ("matcha", "tea", 2250),
            ("mug", "ware", 990), ("kettle", "ware", 4900), ("scale", "ware", 2950), ("grinder", "ware", 7900)]


def numbers(seed):
    while True:
        seed = (seed * 1103515245 + 12345) % 2**31
        yield seed >> 16


def main():
    folder, draw = sys.argv[1], numbers(7)
    with open(f"{folder}/products.csv", "w") as out:
        out.write("product_id,name,category,price_cents\n")
        for i, (name, category, price) in enumerate(PRODUCTS, 1):
            out.write(f"{i},{name},{category},{price}\n")
    with open(f"{folder}/orders.csv", "w") as out:
        out.write("order_id,product_id,quantity\n")
        for i in range(1, 601):
            out.write(f"{i},{1 + next(draw) % len(PRODUCTS)},{1 + next(draw) % 4}\n")


main()
